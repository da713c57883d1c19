import { parseApiError } from '../errors/api-error.ts';
import type { TransportOutcome } from '../ports/transport.ts';
import type { JsonRequest, JsonResponse } from './json-exchange.ts';

/** Longer than any announced maintenance. A wrong header must not silence a device for days. */
const RETRY_AFTER_LIMIT_MS = 3_600_000;
const MAX_MESSAGE_LENGTH = 300;

/** Sends one request. Resolves with a sentence that says why when there was no answer. */
export type SendRequest = (request: JsonRequest) => Promise<JsonResponse | string>;

/**
 * Maps an answer to an outcome. An answer that is neither a success of the expected form nor an error of the API has no
 * error code and no time: the clock of a captive portal does not count.
 *
 * @param parse returns the body of a success, or undefined when it does not have the expected form
 */
export function toOutcome<Body>(
  response: JsonResponse | string,
  parse: (response: JsonResponse) => Body | undefined,
): TransportOutcome<Body> {
  if (typeof response === 'string') return { kind: 'unreachable', message: response };
  const { status, headers, content } = response;
  const serviceTimeMs = parseHttpDate(headers.get('date'));
  if (status === 304 || (status >= 200 && status < 300)) {
    const body = parse(response);
    return body === undefined
      ? { kind: 'unreachable', message: `The answer (${status}) is not from the API.` }
      : { kind: 'answered', status, body, serviceTimeMs };
  }
  const error = parseApiError(content);
  return {
    kind: 'refused',
    status,
    code: error?.code,
    message: toLine(error?.message ?? 'The answer is not from the API.'),
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), serviceTimeMs ?? Date.now()),
    serviceTimeMs: error === undefined ? undefined : serviceTimeMs,
  };
}

/** Parses `Retry-After` (RFC 9110 §10.2.3), seconds or a date, capped at an hour. Undefined when it is neither. */
function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  const waitMs = /^[0-9]{1,10}$/.test(text)
    ? Number(text) * 1000
    : (parseHttpDate(text) ?? Number.NaN) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_LIMIT_MS);
}

/** Parses an IMF-fixdate, the only form of HTTP dates that may be generated (RFC 9110 §5.6.7). */
function parseHttpDate(value: string | null): number | undefined {
  if (value === null || !/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$/.test(value)) {
    return undefined;
  }
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}

/** Reduces a message to one line of bounded length: it is shown to people and its source is not trusted. */
function toLine(message: string): string {
  return message.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, MAX_MESSAGE_LENGTH);
}
