import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A client that is about to use its connection does so within this; those that are silent for longer are closed. */
const LAST_WORD_MS = 500;
/** Less than what the process has to stop, so that what hangs cannot keep it from writing the rest. */
const GIVE_UP_AFTER_MS = 7_000;
const LOOK_EVERY_MS = 20;

/**
 * Watches the connections of a server that is about to listen, from the moment when each is accepted, and gives what
 * drains it. HTTP knows nothing of a connection that has not ended its TLS handshake and could not close that.
 */
export function prepareDrain(server: Server): () => Promise<void> {
  const open = new Set<Socket>();
  server.prependListener('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => drainServer(server, open);
}

/**
 * Takes no new connections and lets the open ones come to their end. `server.close()` alone would close idle connections
 * at once, and a request that is on its way on one of them would meet a reset. So each gets the time to send it, and
 * with the answer is told to close, which whoever answers must do from now on.
 */
async function drainServer(server: Server, open: ReadonlySet<Socket>): Promise<void> {
  // Not the HTTP server's own: that one closes idle connections as well.
  NetServer.prototype.close.call(server);
  if (await isDrainedWithin(server, LAST_WORD_MS)) return;
  server.closeIdleConnections();
  if (await isDrainedWithin(server, GIVE_UP_AFTER_MS - LAST_WORD_MS)) return;
  server.closeAllConnections();
  for (const socket of open) socket.destroy();
}

async function isDrainedWithin(server: Server, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while ((await countConnections(server)) > 0) {
    if (performance.now() > giveUpAt) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
