import { createServer } from 'node:net';

/** Finds a loopback port that is not in use at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((found, failed) => {
    const probe = createServer().once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? found(address.port) : failed(new Error('No free port.')),
      );
    });
  });
}
