import { StorageError } from '../../ports/storage.ts';

/** The stores of a device's database. */
export const FILES = 'files';
export const CHUNKS = 'chunks';
export const KEYS = 'keys';
const VERSION = 1;

/** Opens the database of a device, and creates it if it does not exist. @throws StorageError */
export async function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => {
    for (const store of [FILES, CHUNKS, KEYS]) request.result.createObjectStore(store);
  };
  const database = await asStorageErrors(`Opening ${name}`, () => toPromise(request));
  // Another page deletes the database, or has a newer version of this code.
  database.onversionchange = () => database.close();
  return database;
}

/** What a transaction promises when it ends. `relaxed` survives the end of the browser, `strict` a loss of power. */
type Durability = 'strict' | 'relaxed';

/**
 * Runs requests in one transaction and resolves when it is complete. The requests must follow each other without waiting for
 * anything else.
 */
export async function change<Result>(
  database: IDBDatabase,
  { stores, durability }: { stores: readonly string[]; durability: Durability },
  task: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction(stores, 'readwrite', { durability });
  const completed = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted'));
  });
  // Awaited below. Until then a rejection must not count as unhandled.
  completed.catch(() => undefined);
  try {
    const result = await task(transaction);
    await completed;
    return result;
  } catch (error) {
    abort(transaction);
    throw error;
  }
}

/** Runs requests that change nothing. */
export function look<Result>(
  database: IDBDatabase,
  stores: readonly string[],
  task: (transaction: IDBTransaction) => Promise<Result>,
): Promise<Result> {
  return task(database.transaction(stores, 'readonly'));
}

export function toPromise<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Maps the failures of a task to those of a storage. */
export async function asStorageErrors<Result>(doing: string, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (cause) {
    if (cause instanceof StorageError || cause instanceof TypeError) throw cause;
    const { name } = cause as Error;
    const code = name === 'QuotaExceededError' ? 'full' : 'failed';
    throw new StorageError(code, `${doing} failed (${name})`, { cause });
  }
}

/** It may have ended already. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    return;
  }
}
