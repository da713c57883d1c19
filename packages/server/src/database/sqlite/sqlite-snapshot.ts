import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * As text: a file of its own would have another name in the sources than in what is built of them. The driver's errors are no
 * plain ones, and would lose all they say on the way out of the thread.
 */
const COPY = `
  const { parentPort, workerData: { driver, source, target } } = require('node:worker_threads');
  const Database = require(driver);
  try {
    const database = new Database(source, { fileMustExist: true, timeout: 5000 });
    try {
      database.prepare('vacuum into ?').run(target);
    } finally {
      database.close();
    }
  } catch (error) {
    parentPort.postMessage({ message: error.message, code: error.code });
  }`;

/**
 * Writes all that is committed at this moment into an empty file, while others go on writing to the source.
 *
 * One read transaction sees one state. SQLite's page-wise backup would begin anew with each commit of another process, and so
 * never end under load. It runs in a thread, because nothing else could happen in this one meanwhile.
 * The result is not flushed to disk.
 */
export async function writeSqliteSnapshot({
  source,
  target,
}: {
  source: string;
  target: string;
}): Promise<void> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(COPY, { eval: true, workerData: { driver, source, target } });
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', ({ message, code }: { message: string; code: unknown }) =>
      reject(Object.assign(new Error(message), { code })),
    );
    worker.once('exit', () => resolve());
  });
}
