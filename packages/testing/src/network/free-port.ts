import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems take ports for `listen(0)` and for outgoing connections from ranges above: Linux from 32768, others from 49152. */
const PORTS = { from: 20_000, to: 32_768 };

/**
 * Finds a loopback port that is not in use at this moment. A test that listens on port 0 never gets it, so it stays free
 * until the caller binds it.
 */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
