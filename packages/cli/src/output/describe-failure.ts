import type { FieldProblem } from '@tps/client';
import { CommandError } from './command-error.ts';
import { findTlsFault } from './connection-fault.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** A failure as it is reported to people and programs. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  /** HTTP status of the service's response, if there was one. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Everything that is wrong with the request, if the service listed it. */
  readonly problems?: readonly FieldProblem[] | undefined;
  readonly exitCode: ExitCode;
}

/** Maps an error to its message, code and exit code. */
export async function describeFailure(error: unknown): Promise<Failure> {
  if (error instanceof CommandError) {
    const { message, code, exitCode } = error;
    return { message, code, exitCode };
  }
  // Loaded already, unless the command failed before it needed the client.
  const { ApiError, ClientError, OAuthError } = await import('@tps/client');
  if (error instanceof ApiError && error.code === 'reauthentication_required') {
    const { code, status, requestId } = error;
    const message = 'This change needs a sign-in of the last 10 minutes: sign in again: tps login';
    return { message, code, status, requestId, exitCode: EXIT.refused };
  }
  if (error instanceof OAuthError) {
    const { code, status } = error;
    return { message: OAUTH_MESSAGES[code] ?? error.message, code, status, exitCode: EXIT.refused };
  }
  if (error instanceof ApiError) {
    const { code, status, requestId, problems } = error;
    const message = problems.length > 1 ? problems.map((one) => one.message).join('; ') : error.message;
    return { message, code, status, requestId, problems, exitCode: toExitCode(status) };
  }
  const fault = error instanceof Error ? findTlsFault(error) : undefined;
  if (fault !== undefined) {
    const message = `No secure connection to the service: ${fault}. Run: tps doctor`;
    return { message, code: 'connection_failed', exitCode: EXIT.unavailable };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'AbortError') {
    return { message: 'Interrupted.', code: 'interrupted', exitCode: EXIT.interrupted };
  }
  if (error instanceof ClientError) {
    const { code } = error;
    return { message, code, exitCode: UNREACHABLE.has(code) ? EXIT.unavailable : EXIT.failure };
  }
  // The agent is slow to load, so its errors are checked last.
  const { DeviceClientError, ServiceUnreachableError } = await import('@tps/agent');
  if (error instanceof DeviceClientError) {
    const { message, code, status, requestId } = error;
    return { message, code: code ?? `http_${status}`, status, requestId, exitCode: toExitCode(status) };
  }
  if (error instanceof ServiceUnreachableError) {
    return { message, code: 'connection_failed', exitCode: EXIT.unavailable };
  }
  return { message, code: 'failure', exitCode: EXIT.failure };
}

/** What a refusal of the authorization server means to the person. */
const OAUTH_MESSAGES: Readonly<Record<string, string>> = {
  invalid_grant: 'Your sign-in has ended: sign in again: tps login',
  access_denied: 'The sign-in was refused in the browser. Nothing was saved.',
  expired_token: 'The code was not confirmed in time. Run the command again.',
};

const UNREACHABLE: ReadonlySet<string> = new Set(['connection_failed', 'timed_out']);

/** Returns the exit code for an HTTP status. */
function toExitCode(status: number): ExitCode {
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
