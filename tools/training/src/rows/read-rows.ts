import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import xz from 'xz-decompress';
import { parseRow } from './parse-row.ts';
import type { Row } from './row.ts';

const ROW_FILE = /^(.+)\.jsonl(\.gz|\.xz)?$/;

/** Lists the files of rows in a folder, in order of their names. A plain file hides its compressed twin. */
async function listRowFiles(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => ROW_FILE.test(name)).sort();
  return names.filter((name, at) => toStem(name) !== toStem(names[at - 1] ?? ''));
}

/**
 * Reads every row of a folder, file by file, as a stream. Calls `onSkipped` with the file for each invalid
 * line.
 */
export async function* readRows(
  folder: string,
  onSkipped: (file: string) => void = () => undefined,
): AsyncGenerator<Row> {
  for (const name of await listRowFiles(folder)) {
    const lines = createInterface({
      input: openFile(join(folder, name)),
      crlfDelay: Number.POSITIVE_INFINITY,
    });
    for await (const line of lines) {
      const row = parseRow(line, toStem(name));
      if (row) yield row;
      else if (line.trim() !== '') onSkipped(name);
    }
  }
}

function toStem(name: string): string {
  return ROW_FILE.exec(name)?.[1] ?? name;
}

function openFile(path: string): NodeJS.ReadableStream {
  const file = createReadStream(path);
  if (path.endsWith('.gz')) return file.pipe(createGunzip());
  if (!path.endsWith('.xz')) return file;
  const compressed = Readable.toWeb(file) as ReadableStream<Uint8Array>;
  return Readable.fromWeb(new xz.XzReadableStream(compressed) as Parameters<typeof Readable.fromWeb>[0]);
}
