import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { BrokenRequestAnswers } from './broken-request.ts';

/** First byte of a TLS record that begins a handshake (RFC 8446 section 5.1). */
const HANDSHAKE = 22;

/** Checks the first byte of each connection: TLS proceeds, plain HTTP gets an error response and is closed. */
export function refusePlaintext(server: Server, answers: BrokenRequestAnswers): void {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk) => {
      if (chunk[0] !== HANDSHAKE) return answers.plaintext(socket);
      socket.pause();
      socket.unshift(chunk);
      for (const listener of listeners) listener.call(server, socket);
    });
  });
}
