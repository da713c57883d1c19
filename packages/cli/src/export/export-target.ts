import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';

/** Destination of an export. */
export interface ExportTarget {
  /** Resolves when more can be written: for a command, when it has acknowledged the text. */
  write(text: string): Promise<void>;
  /** Makes the output durable and returns its length; null when it is not a file. */
  settle(): Promise<number | null>;
  close(): Promise<void>;
}

export function outputTarget(output: Output): ExportTarget {
  return { write: (text) => output.write(text), settle: async () => null, close: async () => undefined };
}

/**
 * Opens the file of an export. Text after the last position was written by a run that was killed before it recorded its
 * position: it is truncated, so that there are no duplicates. Without a position the file must be new or empty.
 *
 * @throws CommandError when the file exists without a position, or is shorter than recorded
 */
export async function fileTarget(
  path: string,
  writtenBytes: number | null | undefined,
): Promise<ExportTarget> {
  const flags = writtenBytes ? constants.O_RDWR : constants.O_RDWR | constants.O_CREAT;
  const file = await open(path, flags, 0o600).catch((cause: unknown) => {
    throw fileError(`Cannot open ${path} for writing.`, cause);
  });
  try {
    return targetOf(file, await prepare(file, path, writtenBytes));
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Returns the position at which the export continues. */
async function prepare(
  file: FileHandle,
  path: string,
  writtenBytes: number | null | undefined,
): Promise<number> {
  const start = writtenBytes ?? 0;
  const stats = await file.stat();
  if (!stats.isFile())
    throw fileError(
      `${path} is not a regular file. Without --output the export is written to the standard output.`,
    );
  const { size } = stats;
  if (size < start) {
    throw fileError(`${path} is shorter than recorded in the cursor file: another program has changed it.`);
  }
  if (size > 0 && typeof writtenBytes !== 'number') {
    throw fileError(`${path} exists already. Use another file, or remove it.`);
  }
  await file.truncate(start);
  if (start === 0) await syncDirectory(dirname(path));
  return start;
}

/** Otherwise the name of a new file can be lost in a power failure that the cursor file survives. Not needed on Windows. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function targetOf(file: FileHandle, start: number): ExportTarget {
  let position = start;
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position);
        done += bytesWritten;
        position += bytesWritten;
      }
    },
    async settle() {
      await file.datasync();
      return position;
    },
    close: () => file.close(),
  };
}

function fileError(message: string, cause?: unknown): CommandError {
  return new CommandError(message, { code: 'output_file', exitCode: EXIT.failure, cause });
}
