import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '@tps/signatures';
import { KeyError } from '../../ports/keys.ts';
import { KEY_BYTES, KEY_ID_BYTES, type StorageKey } from './key-wrapping.ts';

/** A signing key as it lies in the file. */
export interface StoredSigningKey {
  readonly algorithm: SignatureAlgorithm;
  /** PKCS #8 in DER, standard base64. */
  readonly pkcs8: string;
}

/** What the key file holds. */
export interface KeyFileContent {
  readonly signing: StoredSigningKey;
  readonly staged: StoredSigningKey | undefined;
  /** The present one first. */
  readonly storage: readonly [StorageKey, ...StorageKey[]];
}

const VERSION = 1;
const LIMIT_BYTES = 64 * 1024;
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** @throws KeyError `missing`, `damaged`, or `unavailable` when others may read the file or it cannot be read */
export async function readKeyFile(path: string): Promise<KeyFileContent> {
  const text = await readPrivately(path);
  let content: KeyFileContent | undefined;
  try {
    content = parse(JSON.parse(text));
  } catch {
    // What went wrong could quote the content.
  }
  if (content === undefined) {
    throw new KeyError('damaged', `The key file ${path} is damaged`);
  }
  return content;
}

async function readPrivately(path: string): Promise<string> {
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW);
    try {
      const { mode, size } = await file.stat();
      if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
        throw new KeyError('unavailable', `Others may read the key file ${path}: set its mode to 600`);
      }
      if (size > LIMIT_BYTES) {
        throw new KeyError('damaged', `The key file ${path} is too large to be one`);
      }
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toKeyError(error, path);
  }
}

/**
 * Writes the whole file anew: the old content or the new one is there at any moment, also after a loss of power. The old
 * one is then overwritten, where the file system keeps files in place: it may hold a key that is to be destroyed.
 */
export async function writeKeyFile(path: string, content: KeyFileContent): Promise<void> {
  const temporary = `${path}.new`;
  try {
    await unlink(temporary).catch(() => undefined);
    await writeDurably(temporary, content);
    const before = await open(path, O_WRONLY | O_NOFOLLOW).catch(() => undefined);
    try {
      await rename(temporary, path);
      await syncDirectoryOf(path);
      // Where this fails, the new content stands all the same.
      await overwrite(before).catch(() => undefined);
    } finally {
      await before?.close();
    }
  } catch (error) {
    throw toKeyError(error, path);
  }
}

async function overwrite(file: FileHandle | undefined): Promise<void> {
  if (file === undefined) return;
  const { size } = await file.stat();
  await file.write(new Uint8Array(size), 0, size, 0);
  await file.datasync();
}

/** Makes the file. @throws KeyError `unavailable` when there is one already, which is never overwritten */
export async function createKeyFile(path: string, content: KeyFileContent): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(path, content);
    await syncDirectoryOf(path);
  } catch (error) {
    throw toKeyError(error, path);
  }
}

async function writeDurably(path: string, content: KeyFileContent): Promise<void> {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(serialise(content));
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncDirectoryOf(path: string): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const directory = await open(dirname(path), O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function toKeyError(error: unknown, path: string): unknown {
  if (error instanceof KeyError || !(error instanceof Error)) {
    return error;
  }
  const { code = '' } = error as NodeJS.ErrnoException;
  const kind = code === 'ENOENT' ? 'missing' : 'unavailable';
  return new KeyError(kind, `The key file ${path} cannot be used: ${code || error.name}`, { cause: error });
}

function serialise({ signing, staged, storage }: KeyFileContent): string {
  const keys = storage.map(({ id, secret }) => ({ id, secret: Buffer.from(secret).toString('base64') }));
  return `${JSON.stringify({ version: VERSION, signing, staged, storage: keys }, null, 2)}\n`;
}

function parse(value: Record<string, unknown>): KeyFileContent | undefined {
  const { version, signing, staged, storage } = value;
  const [present, ...earlier] = Array.isArray(storage) ? storage.map(parseStorageKey) : [];
  const isSound =
    version === VERSION &&
    isSigningKey(signing) &&
    (staged === undefined || isSigningKey(staged)) &&
    earlier.every((key) => key !== undefined);
  return isSound && present
    ? { signing, staged, storage: [present, ...(earlier as StorageKey[])] }
    : undefined;
}

function isSigningKey(value: unknown): value is StoredSigningKey {
  const { algorithm, pkcs8 } = (value ?? {}) as Record<string, unknown>;
  return SIGNATURE_ALGORITHMS.some((name) => name === algorithm) && typeof pkcs8 === 'string';
}

function parseStorageKey(value: unknown): StorageKey | undefined {
  const { id, secret } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof secret !== 'string') {
    return undefined;
  }
  const key = { id, secret: new Uint8Array(Buffer.from(secret, 'base64')) };
  return key.secret.length === KEY_BYTES && id.length === 2 * KEY_ID_BYTES ? key : undefined;
}
