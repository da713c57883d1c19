import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** Far larger than a credential, a secret or a detection. */
const MAX_TEXT_BYTES = 1024 * 1024;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

/**
 * Reads a text, such as a secret, from a file, or from the standard input for `-`. Trims it.
 *
 * @throws CommandError when it cannot be read, is too large or empty
 */
export async function readNamedFile(
  context: Pick<CommandContext, 'stdin' | 'directory'>,
  file: string,
  maxBytes = MAX_TEXT_BYTES,
): Promise<string> {
  const text = (await readNamedBytes(context, file, maxBytes)).toString('utf8').trim();
  if (text === '') throw usageError(`${file === '-' ? 'The standard input' : file} is empty.`);
  return text;
}

/**
 * Reads a file, or the standard input for `-`.
 *
 * @throws CommandError when it cannot be read, or is larger than `maxBytes`
 */
export async function readNamedBytes(
  { stdin, directory }: Pick<CommandContext, 'stdin' | 'directory'>,
  file: string,
  maxBytes: number,
): Promise<Buffer> {
  try {
    return await readBounded(file === '-' ? stdin : createReadStream(resolve(directory, file)), maxBytes);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const message = `Cannot read ${file}${toReason(cause)}.`;
    throw new CommandError(message, { code: 'unreadable', exitCode: EXIT.usage, cause });
  }
}

/** Returns why a file cannot be read, to follow its name: `: no such file`. Empty if there is nothing to add. */
export function toReason(cause: unknown): string {
  const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? '' : `: ${reason}`;
}

async function readBounded(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw usageError(`The input is larger than ${maxBytes} bytes.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
