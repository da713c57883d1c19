import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { CommandContext } from '../command-context.ts';
import { toReason } from '../connection/read-named-file.ts';
import { CommandError } from '../output/command-error.ts';
import { EXIT } from '../output/exit-codes.ts';

/** The file with the settings of the service: `tps init` writes it, the operator commands read it. */
export const ENV_FILE = 'tps.env';
const MAX_BYTES = 1024 * 1024;

/**
 * Returns the variables for the service: the environment, and variables of a file that the environment does not set.
 * The file is `envFile`, or `tps.env` in the working directory if it exists.
 *
 * @throws CommandError when the file cannot be read
 */
export async function loadServiceEnvironment(
  { env, directory }: Pick<CommandContext, 'env' | 'directory'>,
  envFile: string | undefined,
): Promise<NodeJS.ProcessEnv> {
  const path = resolve(directory, envFile ?? ENV_FILE);
  const content = await readBounded(path).catch((cause: NodeJS.ErrnoException) => {
    if (envFile === undefined && cause.code === 'ENOENT') return '';
    const message = `Cannot read the settings in ${path}${toReason(cause)}.`;
    throw new CommandError(message, { code: 'env_file', exitCode: EXIT.usage, cause });
  });
  const merged = { ...parseEnv(content), ...env };
  // Libraries read variables of their own, such as PGPASSWORD, from the process.
  if (env === process.env) Object.assign(process.env, merged);
  return merged;
}

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} is too large`);
  return readFile(path, 'utf8');
}
