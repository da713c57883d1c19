import { StorageError } from '../../ports/storage.ts';

/** Takes a lock that only one page or worker of the origin can have. The browser releases it when the page ends. */
export function takeLock(name: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          reject(new StorageError('in_use', `${name} is in use by another page`));
          return;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}
