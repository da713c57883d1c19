import { concatBytes } from '../../encoding/bytes.ts';
import { type AgentStorage, type AppendFile, StorageError, type StoredFile } from '../../ports/storage.ts';
import { asStorageErrors, CHUNKS, change, FILES, look, openDatabase, toPromise } from './database.ts';
import { takeLock } from './web-lock.ts';

/** The database of an IndexedDB storage. */
export interface IndexedDbStorageOptions {
  readonly database: string;
  /** The part of the database: one agent uses two. */
  readonly area: string;
}

/** A file as stored: its content is in chunks, each appended at once. */
interface FileRecord {
  readonly sizeBytes: number;
  readonly chunks: number;
}

const NAME = /^[a-z0-9.-]{1,64}$/;
const BOTH = [FILES, CHUNKS];
/** The key of the record that `sync` writes. No file has this name. */
const MARK = '~';

/**
 * Opens an area of an IndexedDB database as an agent's storage, exclusively for this page or worker.
 * @throws StorageError `in_use` while another one has it
 */
export async function openIndexedDbStorage(options: IndexedDbStorageOptions): Promise<AgentStorage> {
  const { database, area } = options;
  const release = await takeLock(`${database}/${area}`);
  try {
    return new IndexedDbStorage(await openDatabase(database), area, release);
  } catch (error) {
    release();
    throw error;
  }
}

class IndexedDbStorage implements AgentStorage {
  readonly #database: IDBDatabase;
  readonly #area: string;
  readonly #release: () => void;

  constructor(database: IDBDatabase, area: string, release: () => void) {
    this.#database = database;
    this.#area = area;
    this.#release = release;
  }

  list(): Promise<StoredFile[]> {
    return asStorageErrors('Listing files', () =>
      look(this.#database, [FILES], async (transaction) => {
        const store = transaction.objectStore(FILES);
        const all = IDBKeyRange.bound([this.#area, ''], [this.#area, '~']);
        const [keys, records] = await Promise.all([
          toPromise(store.getAllKeys(all)),
          toPromise<FileRecord[]>(store.getAll(all)),
        ]);
        const files = keys.map((key, at) => ({
          name: (key as [string, string])[1],
          sizeBytes: records[at]?.sizeBytes ?? 0,
        }));
        return files.filter(({ name }) => NAME.test(name));
      }),
    );
  }

  read(name: string, limitBytes: number): Promise<Uint8Array> {
    return asStorageErrors(`Reading ${name}`, () =>
      look(this.#database, BOTH, async (transaction) => {
        const { sizeBytes } = await this.#get(transaction, name);
        if (sizeBytes > limitBytes) {
          throw new StorageError('too_large', `${name} has ${sizeBytes} bytes, more than ${limitBytes}`);
        }
        return concatBytes(await toPromise(transaction.objectStore(CHUNKS).getAll(this.#chunksOf(name))));
      }),
    );
  }

  create(name: string): Promise<AppendFile> {
    return asStorageErrors(`Creating ${name}`, async () => {
      await change(this.#database, { stores: [FILES], durability: 'strict' }, async (transaction) => {
        const store = transaction.objectStore(FILES);
        if ((await toPromise(store.getKey(this.#key(name)))) !== undefined) {
          throw new StorageError('exists', `${name} exists`);
        }
        await toPromise(store.put({ sizeBytes: 0, chunks: 0 } satisfies FileRecord, this.#key(name)));
      });
      return this.#appendTo(name);
    });
  }

  replace(name: string, content: Uint8Array): Promise<void> {
    return asStorageErrors(`Replacing ${name}`, () =>
      change(this.#database, { stores: BOTH, durability: 'strict' }, async (transaction) => {
        const chunks = transaction.objectStore(CHUNKS);
        const file: FileRecord = { sizeBytes: content.length, chunks: 1 };
        await toPromise(transaction.objectStore(FILES).put(file, this.#key(name)));
        await toPromise(chunks.delete(this.#chunksOf(name)));
        await toPromise(chunks.put(content.slice(), this.#chunk(name, 0)));
      }),
    );
  }

  /** Deletes without overwriting: a page cannot decide when the browser erases the bytes. */
  remove(name: string): Promise<void> {
    return asStorageErrors(`Removing ${name}`, () =>
      change(this.#database, { stores: BOTH, durability: 'strict' }, async (transaction) => {
        await toPromise(transaction.objectStore(FILES).delete(this.#key(name)));
        await toPromise(transaction.objectStore(CHUNKS).delete(this.#chunksOf(name)));
      }),
    );
  }

  async close(): Promise<void> {
    this.#database.close();
    this.#release();
  }

  #appendTo(name: string): AppendFile {
    return {
      append: (bytes) =>
        asStorageErrors(`Writing ${name}`, () =>
          change(this.#database, { stores: BOTH, durability: 'relaxed' }, async (transaction) => {
            const { sizeBytes, chunks } = await this.#get(transaction, name);
            const file: FileRecord = { sizeBytes: sizeBytes + bytes.length, chunks: chunks + 1 };
            await toPromise(transaction.objectStore(FILES).put(file, this.#key(name)));
            await toPromise(transaction.objectStore(CHUNKS).put(bytes.slice(), this.#chunk(name, chunks)));
          }),
        ),
      // Transactions are written in order: when this one is on disk, so are those before it.
      sync: () =>
        asStorageErrors(`Syncing ${name}`, () =>
          change(this.#database, { stores: [FILES], durability: 'strict' }, async (transaction) => {
            await toPromise(transaction.objectStore(FILES).put(0, [this.#area, MARK]));
          }),
        ),
      close: async () => {},
    };
  }

  async #get(transaction: IDBTransaction, name: string): Promise<FileRecord> {
    const file = await toPromise<FileRecord | undefined>(transaction.objectStore(FILES).get(this.#key(name)));
    if (file === undefined) throw new StorageError('missing', `${name} does not exist`);
    return file;
  }

  #key(name: string): IDBValidKey {
    if (!NAME.test(name) || /^\.+$/.test(name)) {
      throw new TypeError(`Invalid file name for the agent's storage: ${JSON.stringify(name)}`);
    }
    return [this.#area, name];
  }

  #chunk(name: string, number: number): IDBValidKey {
    return [this.#area, name, number];
  }

  #chunksOf(name: string): IDBKeyRange {
    return IDBKeyRange.bound(this.#chunk(name, 0), this.#chunk(name, Number.MAX_SAFE_INTEGER));
  }
}
