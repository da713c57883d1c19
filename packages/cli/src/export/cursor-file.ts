import { open, rename, rm } from 'node:fs/promises';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** Position of an export in the feed. Everything up to it is on disk, or acknowledged by a command. */
export interface ExportPosition {
  /** Cursor of the next page; null at the beginning of the feed. */
  readonly cursor: string | null;
  /** Length of the output file at this position; null when a command takes the pages. */
  readonly outputBytes: number | null;
  /** Path of the output file relative to the directory of the cursor file; null when a command takes the pages. */
  readonly output: string | null;
  readonly events: number;
  /** Start time of the export, which its cursors are bound to; null for the beginning of the feed. */
  readonly since: string | null;
}

/** A cursor has a few hundred characters. */
const MAX_BYTES = 64 * 1024;

/** Reads a position. Returns undefined if the file does not exist. @throws CommandError when it is not a cursor file */
export async function readPosition(path: string): Promise<ExportPosition | undefined> {
  const text = await readBounded(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw positionError(`Cannot read the cursor file ${path}.`, error);
  });
  if (text === undefined) return undefined;
  const position = parsePosition(text);
  if (position) return position;
  throw positionError(
    `${path} is not a cursor file. Use another file, or remove it to export from the start.`,
  );
}

/** Replaces the position atomically, so that it survives a power failure. */
export async function writePosition(path: string, position: ExportPosition): Promise<void> {
  const temporary = `${path}.${process.pid}.new`;
  try {
    await rm(temporary, { force: true });
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(`${toText(position)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw positionError(`Cannot write the cursor file ${path}.`, cause);
  }
}

/** A file that is longer than any position is truncated, which makes it invalid. */
async function readBounded(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function toText({ cursor, outputBytes, output, events, since }: ExportPosition): string {
  return JSON.stringify({ cursor, output_bytes: outputBytes, output, events, since });
}

function parsePosition(text: string): ExportPosition | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { cursor, output_bytes: outputBytes, output, events, since } = value as Record<string, unknown>;
  if (!isTextOrNull(cursor) || !isTextOrNull(since) || !isTextOrNull(output)) return undefined;
  if (outputBytes !== null && !isCount(outputBytes)) return undefined;
  return isCount(events) ? { cursor, outputBytes, output, events, since } : undefined;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function positionError(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'cursor_file', exitCode: EXIT.failure, cause });
}
