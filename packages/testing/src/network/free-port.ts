import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** For `listen(0)` and outgoing connections, systems take ports above these: Linux from 32768, others from 49152. */
const PORTS = { from: 20_000, to: 32_768 };

/**
 * Finds a loopback port that is not in use at this moment. No test that listens on port 0 gets it before the caller
 * binds it. Another caller of this function might, with a chance of one in 12,768.
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
