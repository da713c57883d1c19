import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** Far more than a credential, a secret or a detection takes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a short text, such as a secret, from a file or from the standard input for `-`.
 *
 * @throws CommandError when there is none
 */
export async function readNamedFile({ stdin, directory }: Context, file: string): Promise<string> {
  const content = file === '-' ? await text(stdin) : await readBounded(resolve(directory, file));
  const trimmed = content.trim();
  if (trimmed === '') throw usageError(`There is nothing in ${file === '-' ? 'the standard input' : file}.`);
  return trimmed;
}

async function readBounded(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw usageError(`${path} is too large.`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`${path} cannot be read.`, { code: 'unreadable', exitCode: EXIT.usage, cause });
  }
}
