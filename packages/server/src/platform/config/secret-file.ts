import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Far larger than a key, a token or a URL. */
const MAX_BYTES = 64 * 1024;
/** Reading or writing by users that are neither the owner nor in the group of the file. */
const OTHERS = 0o006;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  ENOTDIR: 'part of its path is not a directory',
};

/** The content of the file of a secret. */
export interface SecretFile {
  readonly text: string;
  /** Whether users that are neither its owner nor in its group may read or change the file. */
  readonly isOpenToOthers: boolean;
}

/**
 * Reads the file of a secret, without one line break at its end.
 *
 * @throws Error whose message completes "the file …" and never contains the content
 */
export function readSecretFile(path: string): SecretFile {
  const file = open(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('cannot be used: it is not a regular file');
    const text = decode(readBounded(file)).replace(/\r?\n$/, '');
    if (text === '') throw new Error('is empty');
    return { text, isOpenToOthers: process.platform !== 'win32' && (stats.mode & OTHERS) !== 0 };
  } finally {
    closeSync(file);
  }
}

function open(path: string): number {
  try {
    // Opening a named pipe would otherwise wait until something writes to it.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new Error(`cannot be read: ${REASONS[code] ?? code}`, { cause });
  }
}

function readBounded(file: number): Buffer {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (;;) {
    const count = readSync(file, buffer, length, buffer.length - length, null);
    length += count;
    if (length > MAX_BYTES) throw new Error(`is larger than ${MAX_BYTES} bytes`);
    if (count === 0) return buffer.subarray(0, length);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('is not UTF-8 text');
  }
}
