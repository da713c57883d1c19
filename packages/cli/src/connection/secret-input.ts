import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../output/command-error.ts';
import { readNamedFile } from './read-named-file.ts';

type SecretContext = Pick<CommandContext, 'env' | 'stdin' | 'stderr' | 'directory'>;

/** Reading or writing by users that are neither the owner nor in the group of the file. */
const OTHERS = 0o006;

/**
 * Reads a secret from a file, or from the standard input for `-`. Warns if every user of the machine has access to the
 * file.
 *
 * @throws CommandError when it cannot be read, is too large or empty
 */
export async function readSecretFile(context: Omit<SecretContext, 'env'>, file: string): Promise<string> {
  const secret = await readNamedFile(context, file);
  if (file === '-' || process.platform === 'win32') return secret;
  const stats = await stat(resolve(context.directory, file));
  // A pipe, such as the one of a process substitution, is only reachable for its owner.
  if (stats.isFile() && (stats.mode & OTHERS) !== 0) {
    await context.stderr.write(
      `Every user of this machine may read or change the secret in ${file}. Run: chmod o= ${file}\n`,
    );
  }
  return secret;
}

/**
 * Returns the secret in a variable, or in the file that a second variable names: the same name with `_FILE` at its end.
 * Undefined if neither is set.
 *
 * @throws CommandError when both are set, or the file cannot be used
 */
export async function readSecretVariable(context: SecretContext, name: string): Promise<string | undefined> {
  const fileVariable = `${name}_FILE`;
  const [value, file] = [context.env[name], context.env[fileVariable]];
  if (!file) return value || undefined;
  if (value) throw usageError(`${name} and ${fileVariable} are both set; set only one of them.`);
  return readSecretFile(context, file);
}
