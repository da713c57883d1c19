import { CommandError } from './command-error.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** A failure as it is told to people and programs. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  /** Status of the service's answer, where it answered. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly exitCode: ExitCode;
}

/** Tells what an error means to whoever ran the command. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandError) {
    const { message, code, exitCode } = error;
    return { message, code, exitCode };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: 'failure', exitCode: EXIT.failure };
}

/** Gives the exit code for the status of an answer. */
export function exitCodeOf(status: number): ExitCode {
  return BY_STATUS.get(status) ?? (status >= 500 ? EXIT.unavailable : EXIT.usage);
}

const BY_STATUS: ReadonlyMap<number, ExitCode> = new Map([
  [401, EXIT.refused],
  [403, EXIT.refused],
  [404, EXIT.notFound],
  [409, EXIT.conflict],
  [412, EXIT.conflict],
  [422, EXIT.conflict],
  [429, EXIT.unavailable],
]);
