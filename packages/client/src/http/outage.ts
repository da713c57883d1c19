import { ApiError } from '../errors/api-error.ts';
import { UnexpectedAnswerError } from '../errors/transport-errors.ts';
import { OAuthError } from '../oauth/oauth-error.ts';
import { isTransient, jitterMs, type RetryRules, toRetryAfterMs } from './retry.ts';

/** The request itself is invalid, so a retry would be refused too. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 409, 412, 413, 415, 422]);
/** Codes of 400 for how a request arrived: slowly, damaged, or at a proxy without TLS. */
const OF_THE_ARRIVAL: ReadonlySet<string> = new Set(['invalid_parameter', 'plaintext_rejected']);
/** Longest pause, also when `Retry-After` asks for more. */
const MAX_PAUSE_MS = 3_600_000;

/**
 * Whether a program that reads without an end waits after this failure and tries again.
 *
 * A refusal of the caller or the path (401, 403, 404 …) usually means that the program was set up wrongly. Once the service
 * has answered, it may be temporary: a restored backup, a moved tenant, a wrong route of a proxy. It is waited out if it is
 * reported to the application.
 */
export function isOutage(error: unknown, hasWorked: boolean, isReported: boolean): boolean {
  return isTransient(error) || (hasWorked && isReported && isRefusal(error));
}

function isRefusal(error: unknown): boolean {
  if (error instanceof UnexpectedAnswerError) return true;
  if (!(error instanceof ApiError || error instanceof OAuthError)) return false;
  return error.status < 500 && (!OF_THE_REQUEST.has(error.status) || OF_THE_ARRIVAL.has(error.code));
}

/** Returns the pause after the nth failure in a row. After refusals it grows up to an hour. */
export function outagePauseMs(error: unknown, failed: number, rules: RetryRules): number {
  const jitter = jitterMs(failed, isTransient(error) ? rules : { ...rules, maxDelayMs: MAX_PAUSE_MS });
  return Math.min(MAX_PAUSE_MS, toRetryAfterMs(error)) + jitter;
}
