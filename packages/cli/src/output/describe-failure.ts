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
export async function describeFailure(error: unknown): Promise<Failure> {
  if (error instanceof CommandError) {
    const { message, code, exitCode } = error;
    return { message, code, exitCode };
  }
  // Loaded by now, unless it failed before it was needed.
  const { ApiError, ClientError } = await import('@tps/client');
  if (error instanceof ApiError) {
    const { message, code, status, requestId } = error;
    return { message, code, status, requestId, exitCode: exitCodeOf(status) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'AbortError') {
    return { message: 'It was interrupted.', code: 'interrupted', exitCode: EXIT.interrupted };
  }
  if (error instanceof ClientError) {
    const { code } = error;
    return { message, code, exitCode: UNREACHABLE.has(code) ? EXIT.unavailable : EXIT.failure };
  }
  // A program with the agent in it is slow to load, so it is asked last.
  const { DeviceClientError, ServiceUnreachableError } = await import('@tps/agent');
  if (error instanceof DeviceClientError) {
    const { message, code, status, requestId } = error;
    return { message, code: code ?? `http_${status}`, status, requestId, exitCode: exitCodeOf(status) };
  }
  if (error instanceof ServiceUnreachableError) {
    return { message, code: 'connection_failed', exitCode: EXIT.unavailable };
  }
  return { message, code: 'failure', exitCode: EXIT.failure };
}

const UNREACHABLE: ReadonlySet<string> = new Set(['connection_failed', 'timed_out']);

/** Gives the exit code for the status of an answer. */
function exitCodeOf(status: number): ExitCode {
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
