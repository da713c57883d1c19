import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a client does that keeps a connection without using it. */
export type Misuse = 'half-open' | 'silent' | 'slow header' | 'slow body' | 'not reading';

const TRICKLE_EVERY_MS = 100;

export interface HostileOptions {
  readonly port: number;
  readonly credential: string;
  /** The address that the connection comes from. */
  readonly localAddress: string;
}

/** Opens a connection and misuses it until the test ends or the service closes it. */
export function openHostile(misuse: Misuse, { port, credential, localAddress }: HostileOptions): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
  // Refused, reset or closed: each is an acceptable end.
  socket.on('error', () => socket.destroy());
  onTestFinished(() => void socket.destroy());
  const authorization = `authorization: Bearer ${credential}\r\n`;
  const trickle = (start: string, next: string) => {
    socket.resume().write(start);
    const timer = setInterval(() => socket.write(next), TRICKLE_EVERY_MS);
    socket.once('close', () => clearInterval(timer));
  };
  socket.once('connect', () => {
    if (misuse === 'silent') socket.resume();
    if (misuse === 'half-open') socket.resume().write('this is not HTTP\r\n\r\n');
    if (misuse === 'slow header') trickle('GET /healthz HTTP/1.1\r\nhost: x\r\nx: ', 'x');
    if (misuse === 'slow body') {
      trickle(
        `POST /policies HTTP/1.1\r\nhost: x\r\n${authorization}content-type: application/json\r\ncontent-length: 100000\r\n\r\n`,
        ' ',
      );
    }
    // Together more than the socket buffers of both ends hold.
    if (misuse === 'not reading') {
      socket.pause().write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20));
    }
  });
  return socket;
}
