import { ModelDamagedError } from '@tps/detection/training';

/** What was asked cannot be done as it was asked: the message is for who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a command: 0 or what it gives, 2 for a wrong command line or folder, 1 for anything else. */
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

/** Says on the error stream what is being done; answers go to the output. */
export function logProgress(words: string): void {
  process.stderr.write(`${words}\n`);
}

function isParseError(error: unknown): boolean {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
