import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { CommandContext } from '../command-context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** Far more than a credential, a secret or a detection takes. */
const MAX_TEXT_BYTES = 1024 * 1024;
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not read it',
};

/**
 * Reads a text, such as a secret, from a file or from the standard input for `-`, without the space around it.
 *
 * @throws CommandError when there is none
 */
export async function readNamedFile(
  context: Pick<CommandContext, 'stdin' | 'directory'>,
  file: string,
  maxBytes = MAX_TEXT_BYTES,
): Promise<string> {
  const text = (await readNamedBytes(context, file, maxBytes)).toString('utf8').trim();
  if (text === '') throw usageError(`There is nothing in ${file === '-' ? 'the standard input' : file}.`);
  return text;
}

/**
 * Reads a file, or the standard input for `-`, and no more than is asked for.
 *
 * @throws CommandError when it cannot be read, or is larger
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
    const message = `${file} cannot be read${whyOf(cause)}.`;
    throw new CommandError(message, { code: 'unreadable', exitCode: EXIT.usage, cause });
  }
}

function whyOf(cause: unknown): string {
  const why = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
  return why === undefined ? '' : `: ${why}`;
}

async function readBounded(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw usageError(`That is more than the ${maxBytes} bytes that fit.`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
