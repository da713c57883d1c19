import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClamdScanner } from './clamd-scanner.ts';

const EICAR_LIKE = new TextEncoder().encode('a test signature, harmless');
const NEVER = new AbortController().signal;
let server: Server | undefined;

afterEach(() => server?.close());

/** Implements the server side of INSTREAM: reads chunks until one of length zero, then answers. */
async function startClamd(answer: (received: Buffer) => string | undefined): Promise<number> {
  server = createServer((socket) => void serve(socket, answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function serve(socket: Socket, answer: (received: Buffer) => string | undefined): Promise<void> {
  socket.on('error', () => undefined);
  let pending = Buffer.alloc(0);
  let body = Buffer.alloc(0);
  const command = 'zINSTREAM\0';
  let isGreeted = false;
  for await (const chunk of socket) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    if (!isGreeted && pending.length >= command.length) {
      expect(pending.subarray(0, command.length).toString()).toBe(command);
      pending = pending.subarray(command.length);
      isGreeted = true;
    }
    while (isGreeted && pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE(0)) {
      const length = pending.readUInt32BE(0);
      if (length === 0) {
        const words = answer(body);
        if (words === undefined) return;
        socket.write(words);
      }
      body = Buffer.concat([body, pending.subarray(4, 4 + length)]);
      pending = pending.subarray(4 + length);
    }
  }
}

describe('the clamd scanner', () => {
  it('sends all bytes in chunks and returns a blocking finding for a signature', async () => {
    const bytes = new Uint8Array(200_000).fill(7);
    let received = 0;
    const port = await startClamd((body) => {
      received = body.length;
      return 'stream: Win.Test.EICAR_HDB-1 FOUND\0';
    });
    const [finding] = await createClamdScanner({ host: '127.0.0.1', port }).scan(bytes, NEVER);
    expect(received).toBe(bytes.length);
    expect(finding).toMatchObject({ detector: 'clamav', threatType: 'malware', minimumVerdict: 'block' });
    expect(finding?.evidence).toContain('Win.Test.EICAR_HDB-1');
  });

  it('returns no finding if clamd finds nothing', async () => {
    const port = await startClamd(() => 'stream: OK\0');
    expect(await createClamdScanner({ host: '127.0.0.1', port }).scan(EICAR_LIKE, NEVER)).toEqual([]);
  });

  it.each(['INSTREAM size limit exceeded. ERROR\0', 'stream: OK but more\0', `${'a'.repeat(5000)}`])(
    'rejects any other answer',
    async (answer) => {
      const port = await startClamd(() => answer);
      const scanner = createClamdScanner({ host: '127.0.0.1', port });
      await expect(scanner.scan(EICAR_LIKE, NEVER)).rejects.toThrow('clamd returned no verdict');
    },
  );

  it('rejects if clamd does not answer or cannot be reached', async () => {
    const port = await startClamd(() => '');
    const silent = createClamdScanner({ host: '127.0.0.1', port, timeoutMs: 50 });
    await expect(silent.scan(EICAR_LIKE, NEVER)).rejects.toThrow('in time');
    server?.close();
    const absent = createClamdScanner({ host: '127.0.0.1', port: 1 });
    await expect(absent.scan(EICAR_LIKE, NEVER)).rejects.toThrow('cannot be reached');
  });

  it('does not start if the scan was already aborted', async () => {
    const port = await startClamd(() => 'stream: OK\0');
    const scanner = createClamdScanner({ host: '127.0.0.1', port });
    await expect(scanner.scan(EICAR_LIKE, AbortSignal.abort())).rejects.toThrow('in time');
  });
});
