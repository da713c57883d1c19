import { connect, type Socket } from 'node:net';
import type { ByteScanner } from '@tps/detection/files';
import type { ListenAddress } from '../../../platform/config/config-kinds.ts';

export type ClamdOptions = ListenAddress & {
  /** Limit for a whole scan, including the connection. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
/** clamd refuses more than its StreamMaxLength, 25 MiB by default. */
const CHUNK_BYTES = 65_536;
/** An answer is one line. A server that sends more is not a clamd. */
const MAX_ANSWER_LENGTH = 4096;
const CONFIDENCE = 0.95;

/**
 * Scans bytes with a clamd: the command INSTREAM in its zero-terminated form (clamd(8), "Commands"), with one
 * connection for each scan. Rejects without a clear answer.
 */
export function createClamdScanner({ timeoutMs = TIMEOUT_MS, ...place }: ClamdOptions): ByteScanner {
  return {
    name: 'clamav',
    async scan(bytes, signal) {
      const answer = await ask(
        connect('socketPath' in place ? { path: place.socketPath } : place),
        bytes,
        AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      );
      if (answer === 'stream: OK') return [];
      const name = /^stream: (.{1,200}) FOUND$/.exec(answer)?.[1];
      if (name === undefined) throw new Error('clamd returned no verdict');
      return [
        {
          detector: 'clamav',
          threatType: 'malware',
          category: 'malicious_app',
          confidence: CONFIDENCE,
          evidence: `the signature ${printable(name)} of ClamAV`,
          minimumVerdict: 'block',
        },
      ];
    },
  };
}

function ask(socket: Socket, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      settle();
    };
    const onAbort = () => finish(() => reject(new Error('clamd did not answer in time')));
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
    socket.on('error', (cause) => finish(() => reject(new Error('clamd cannot be reached', { cause }))));
    socket.on('close', () =>
      finish(() => reject(new Error('clamd closed the connection without a verdict'))),
    );
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\0');
      if (end >= 0) finish(() => resolve(answer.slice(0, end)));
      else if (answer.length > MAX_ANSWER_LENGTH)
        finish(() => reject(new Error('clamd returned no verdict')));
    });
    socket.on('connect', () => send(socket, bytes));
  });
}

/** Sends each chunk after its length in network byte order. A length of zero ends the stream. */
function send(socket: Socket, bytes: Uint8Array): void {
  socket.write('zINSTREAM\0');
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.write(length);
    socket.write(chunk);
  }
  socket.write(Buffer.alloc(4));
}

function printable(name: string): string {
  return name.replace(/[^A-Za-z0-9._/-]/g, '').slice(0, 120);
}
