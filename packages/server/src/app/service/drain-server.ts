import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionGuard } from '../../platform/http/connections/connection-guard.ts';

/** A client that is about to use its connection does so within this time; connections silent for longer are closed. */
const LAST_WORD_MS = 500;
/** Less than the process has to stop, so that a hanging connection cannot keep it from writing the rest. */
const GIVE_UP_AFTER_MS = 7_000;
const LOOK_EVERY_MS = 20;

/**
 * Accepts no new connections and waits for the open ones to end. `server.close()` alone would close idle
 * connections at once, so a request already on its way on one of them would meet a reset. So each client gets the
 * time to send its request, and its response says `Connection: close`, which every handler must send from now on.
 */
export async function drainServer(server: Server, guard: ConnectionGuard): Promise<void> {
  // Not the HTTP server's own close(), which also closes idle connections.
  NetServer.prototype.close.call(server);
  if (await isDrainedWithin(server, LAST_WORD_MS)) return;
  server.closeIdleConnections();
  if (await isDrainedWithin(server, GIVE_UP_AFTER_MS - LAST_WORD_MS)) return;
  guard.destroyAll();
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
