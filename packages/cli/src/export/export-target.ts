import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Output } from '../output/output.ts';

/** Where an export goes. */
export interface ExportTarget {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>;
  /** Makes what was written durable, and gives how long it is; null where nobody can tell. */
  settle(): Promise<number | null>;
  close(): Promise<void>;
}

export function outputTarget(output: Output): ExportTarget {
  return { write: (text) => output.write(text), settle: async () => null, close: async () => undefined };
}

/**
 * Opens the file of an export. What stands behind the last position was written by a run that was killed before it could
 * note it: it is cut off, so that nothing is there twice.
 *
 * @throws CommandError when a file is there that no position belongs to, or one that is shorter than it was
 */
export async function fileTarget(
  path: string,
  writtenBytes: number | null | undefined,
): Promise<ExportTarget> {
  const flags = writtenBytes ? constants.O_RDWR : constants.O_RDWR | constants.O_CREAT;
  const file = await open(path, flags, 0o600).catch((cause: unknown) => {
    throw fileError(`The file ${path} cannot be opened for writing.`, cause);
  });
  try {
    const position = await prepare(file, path, writtenBytes ?? 0);
    return targetOf(file, position);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function prepare(file: FileHandle, path: string, writtenBytes: number): Promise<number> {
  const stats = await file.stat();
  if (!stats.isFile())
    throw fileError(`${path} is no file; without --output the export goes to the standard output.`);
  const { size } = stats;
  if (size < writtenBytes) {
    throw fileError(`${path} is shorter than the cursor file says: something else has written it.`);
  }
  if (size > writtenBytes && writtenBytes === 0) {
    throw fileError(`${path} is there already. Name another file, or remove it.`);
  }
  await file.truncate(writtenBytes);
  return writtenBytes;
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
