import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * The program of the thread. It posts the message and the code of an error, because the driver's error objects lose both
 * when they leave a thread.
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
 * Writes everything committed at this moment to an empty file. Other processes can write to the source meanwhile.
 *
 * One read transaction sees one state. SQLite's page-wise backup restarts after each commit of another process and would
 * not finish under load. Runs in a thread, because it would block this one. Does not flush the result to disk.
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
