import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type DeviceKey, type DeviceKeys, KeyError } from '../../ports/keys.ts';
import { change, KEYS, look, openDatabase, toPromise } from '../storage/database.ts';
import {
  createDataKey,
  createStorageKey,
  rewrapDataKey,
  type StorageKeys,
  unwrapDataKey,
} from './data-key.ts';
import { generateSigningKey, type StoredSigningKey, toDeviceKey } from './signing-key.ts';

/** Where the keys of a device are stored. */
export interface WebCryptoKeysOptions {
  readonly database: string;
}

/** The keys of a device as stored: none of them can be exported. */
interface StoredKeys {
  readonly signing: StoredSigningKey;
  readonly staged: StoredSigningKey | undefined;
  readonly storage: StorageKeys;
}

/** The only record. */
const RECORD = 'device';

/**
 * Creates the keys of a new device, as Web Crypto keys that no script can read.
 * @throws KeyError `unavailable` when the database has keys: they are never overwritten
 */
export async function createWebCryptoKeys(
  options: WebCryptoKeysOptions & { readonly algorithm: DeviceKey['algorithm'] },
): Promise<DeviceKeys> {
  const [signing, storageKey] = await Promise.all([
    generateSigningKey(options.algorithm),
    createStorageKey(),
  ]);
  const keys: StoredKeys = { signing, staged: undefined, storage: [storageKey] };
  await withDatabase(options, (database) =>
    change(database, { stores: [KEYS], durability: 'strict' }, (transaction) =>
      toPromise(transaction.objectStore(KEYS).add(keys, RECORD)),
    ),
  );
  return openWebCryptoKeys(options);
}

/** Opens the keys of a device. @throws KeyError `missing`, or `unavailable` when the database cannot be read */
export async function openWebCryptoKeys(options: WebCryptoKeysOptions): Promise<DeviceKeys> {
  const stored = await withDatabase(options, (database) =>
    look(database, [KEYS], (transaction) =>
      toPromise<StoredKeys | undefined>(transaction.objectStore(KEYS).get(RECORD)),
    ),
  );
  if (stored === undefined) throw new KeyError('missing', `${options.database} has no keys`);
  return new WebCryptoKeys(options, stored);
}

class WebCryptoKeys implements DeviceKeys {
  readonly #options: WebCryptoKeysOptions;
  #keys: StoredKeys;

  constructor(options: WebCryptoKeysOptions, keys: StoredKeys) {
    this.#options = options;
    this.#keys = keys;
  }

  randomBytes(count: number): Uint8Array {
    return crypto.getRandomValues(new Uint8Array(count));
  }

  /** Web Crypto digests asynchronously, and recording needs the hash at once. */
  sha256Hex(text: string): string {
    return bytesToHex(sha256(text));
  }

  async signingKey(): Promise<DeviceKey> {
    return toDeviceKey(this.#keys.signing);
  }

  async stagedSigningKey(): Promise<DeviceKey | undefined> {
    return this.#keys.staged && toDeviceKey(this.#keys.staged);
  }

  async stageSigningKey(algorithm: DeviceKey['algorithm']): Promise<DeviceKey> {
    const staged = await generateSigningKey(algorithm);
    await this.#write({ ...this.#keys, staged });
    return toDeviceKey(staged);
  }

  async settleSigningKey(outcome: 'promote' | 'discard'): Promise<void> {
    const { staged, signing } = this.#keys;
    if (staged === undefined) return;
    await this.#write({
      ...this.#keys,
      signing: outcome === 'promote' ? staged : signing,
      staged: undefined,
    });
  }

  createDataKey() {
    return createDataKey(this.#keys.storage);
  }

  unwrapDataKey(wrapped: Uint8Array) {
    return unwrapDataKey(this.#keys.storage, wrapped);
  }

  rewrapDataKey(wrapped: Uint8Array): Promise<Uint8Array> {
    return rewrapDataKey(this.#keys.storage, wrapped);
  }

  async rotateStorageKey(): Promise<void> {
    await this.#write({ ...this.#keys, storage: [await createStorageKey(), ...this.#keys.storage] });
  }

  async forgetOldStorageKeys(): Promise<void> {
    await this.#write({ ...this.#keys, storage: [this.#keys.storage[0]] });
  }

  async #write(keys: StoredKeys): Promise<void> {
    await withDatabase(this.#options, (database) =>
      change(database, { stores: [KEYS], durability: 'strict' }, (transaction) =>
        toPromise(transaction.objectStore(KEYS).put(keys, RECORD)),
      ),
    );
    this.#keys = keys;
  }
}

/** Keys are read and written rarely, so the database is open only meanwhile. */
async function withDatabase<Result>(
  { database: name }: WebCryptoKeysOptions,
  task: (database: IDBDatabase) => Promise<Result>,
): Promise<Result> {
  let database: IDBDatabase | undefined;
  try {
    database = await openDatabase(name);
    return await task(database);
  } catch (cause) {
    throw new KeyError('unavailable', `The keys in ${name} cannot be used (${(cause as Error).name})`, {
      cause,
    });
  } finally {
    database?.close();
  }
}
