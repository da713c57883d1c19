import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '@tps/signatures';
import { KeyError } from '../../ports/keys.ts';
import { KEY_BYTES, KEY_ID_BYTES, type StorageKey } from './key-wrapping.ts';

/** A signing key as stored in the file. */
export interface StoredSigningKey {
  readonly algorithm: SignatureAlgorithm;
  /** PKCS #8 in DER, standard base64. */
  readonly pkcs8: string;
}

/** The content of the key file. */
export interface KeyFileContent {
  readonly signing: StoredSigningKey;
  readonly staged: StoredSigningKey | undefined;
  /** The current key first. */
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
    // The parse error could quote a key, so it is not passed on.
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
        throw new KeyError('unavailable', `The key file ${path} is readable by others: set its mode to 600`);
      }
      if (size > LIMIT_BYTES) {
        throw new KeyError('damaged', `The key file ${path} is larger than ${LIMIT_BYTES} bytes`);
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
 * Replaces the file atomically and durably. The old file is then overwritten, because it may hold a key that must be
 * destroyed. This destroys the bytes only on file systems that write in place.
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
      // If this fails, the new content is still in place.
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

/** Creates the file. @throws KeyError `unavailable` when it exists: it is never overwritten */
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
  const [current, ...earlier] = Array.isArray(storage) ? storage.map(parseStorageKey) : [];
  const isSound =
    version === VERSION &&
    isSigningKey(signing) &&
    (staged === undefined || isSigningKey(staged)) &&
    earlier.every((key) => key !== undefined);
  return isSound && current
    ? { signing, staged, storage: [current, ...(earlier as StorageKey[])] }
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
