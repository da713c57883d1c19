import { EXIT, type ExitCode } from './exit-codes.ts';

/** An expected failure whose message is for the person who ran the command. */
export class CommandError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;

  constructor(
    message: string,
    { code, exitCode, cause }: { code: string; exitCode: ExitCode; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** Creates the error for invalid arguments or options. */
export function usageError(message: string): CommandError {
  return new CommandError(message, { code: 'usage', exitCode: EXIT.usage });
}

/** Ends the program with this exit code. Everything has been printed already. */
export class ExitError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
