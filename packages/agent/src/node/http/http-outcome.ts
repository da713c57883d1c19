import { errorOf } from '../../errors/api-error.ts';
import type { Outcome } from '../../ports/transport.ts';
import type { JsonResponse } from './json-exchange.ts';

/** Longer than any maintenance that a service would announce by a header; a mistake must not silence a device for days. */
const RETRY_AFTER_LIMIT_MS = 3_600_000;
const MAX_MESSAGE_LENGTH = 300;

/**
 * Says what an answer means. One that is neither a success of the expected form nor a refusal of the API has no error
 * code, and no time: the clock of a captive portal is nobody's.
 *
 * @param read gives the body of a success, or undefined when it does not have the expected form
 */
export function outcomeOf<Body>(
  { status, headers, content }: JsonResponse,
  read: (content: unknown) => Body | undefined,
): Outcome<Body> {
  const serviceTimeMs = timeOf(headers.get('date'));
  if (status === 304 || (status >= 200 && status < 300)) {
    const body = read(content);
    return body === undefined
      ? { kind: 'unreachable', message: `The answer (${status}) is not the API's.` }
      : { kind: 'answered', status, body, serviceTimeMs };
  }
  const error = errorOf(content);
  return {
    kind: 'refused',
    status,
    code: error?.code,
    message: plain(error?.message ?? "The answer is not the API's."),
    retryAfterMs: retryAfterOf(headers.get('retry-after'), serviceTimeMs ?? Date.now()),
    serviceTimeMs: error === undefined ? undefined : serviceTimeMs,
  };
}

/** Reads `Retry-After` (RFC 9110 §10.2.3), a number of seconds or a date; at most an hour, undefined when it is neither. */
function retryAfterOf(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const waitMs = /^[0-9]{1,10}$/.test(text) ? Number(text) * 1000 : (timeOf(text) ?? Number.NaN) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_LIMIT_MS);
}

/** Reads the one form of HTTP dates that may still be sent (RFC 9110 §5.6.7). */
function timeOf(value: string | null): number | undefined {
  if (value === null || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/.test(value)) {
    return undefined;
  }
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** One line of bounded length: it is shown to people and may come from anybody. */
function plain(message: string): string {
  return message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
}
