import { ModelDamagedError } from '@tps/detection/training';

/** A wrong command line or input. The message is meant for the person who typed the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command and returns the exit code: the result of the command (0 by default), 2 for a wrong command
 * line or folder, 1 for any other error.
 */
export async function runCommand(act: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await act();
  } catch (error) {
    const isUsage =
      error instanceof UsageError ||
      error instanceof ModelDamagedError ||
      isParseError(error) ||
      isMissing(error);
    process.stderr.write(`${isUsage ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
    process.exitCode = isUsage ? 2 : 1;
  }
}

/** Logs progress to stderr; results go to stdout. */
export function logProgress(words: string): void {
  process.stderr.write(`${words}\n`);
}

function isParseError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
