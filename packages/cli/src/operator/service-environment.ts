import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** Where `tps init` writes the service's variables, and the operator's commands look for them. */
export const ENV_FILE = 'tps.env';
const MAX_BYTES = 1024 * 1024;

/**
 * Gives the variables for the service: those of the environment, and of a file those that the environment does not
 * set. Without a named file it is `tps.env` in the working directory, where there is one.
 *
 * @throws CommandError when the named file cannot be read
 */
export async function readServiceEnvironment(
  { env, directory }: Pick<CommandContext, 'env' | 'directory'>,
  envFile: string | undefined,
): Promise<NodeJS.ProcessEnv> {
  const path = resolve(directory, envFile ?? ENV_FILE);
  const content = await readBounded(path).catch((cause: NodeJS.ErrnoException) => {
    if (envFile === undefined && cause.code === 'ENOENT') return '';
    throw new CommandError(`The variables cannot be read from ${path}.`, {
      code: 'env_file',
      exitCode: EXIT.usage,
      cause,
    });
  });
  return { ...parseEnv(content), ...env };
}

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} is too large`);
  return readFile(path, 'utf8');
}
