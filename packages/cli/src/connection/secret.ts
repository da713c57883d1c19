import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** As random as the service's own credentials, and well within what it takes as a webhook's secret. */
const SECRET_BYTES = 32;

/** Reads a secret from a file, or from the standard input for `-`. @throws CommandError when there is none */
export async function readSecretFile({ stdin, directory }: Context, file: string): Promise<string> {
  const content = file === '-' ? await text(stdin) : await readNamed(resolve(directory, file));
  const secret = content.trim();
  if (secret === '') throw usageError(`There is nothing in ${file === '-' ? 'the standard input' : file}.`);
  return secret;
}

/** Draws a secret for a webhook. */
export function drawSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

async function readNamed(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new CommandError(`${path} cannot be read.`, { code: 'secret_file', exitCode: EXIT.usage, cause });
  });
}
