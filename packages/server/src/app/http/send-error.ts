import { STATUS_CODES } from 'node:http';
import { ERROR_STATUS, type ErrorBody, MAX_PROBLEMS, type Problem } from '@tps/contract';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../platform/logger.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { DPOP_CHALLENGE } from './access/proof-of-possession.ts';

/** Errors of Fastify that a client can cause, with our messages. */
const FRAMEWORK_ERRORS: Record<string, (error: FastifyError) => ServiceError> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new ServiceError('payload_too_large', 'The body is too large for this operation'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ServiceError('unsupported_media_type', 'Send the body as application/json'),
  FST_ERR_CTP_EMPTY_TYPE: () =>
    new ServiceError('unsupported_media_type', 'Send the body as application/json'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ServiceError('invalid_json', 'The length of the body differs from Content-Length'),
  // The client disconnected in the middle of its body; nothing failed here.
  ECONNRESET: () => new ServiceError('invalid_json', 'The body ended early'),
};

/** Returns what the client learns about an error. An unexpected error is reported as internal, without details. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code } = Object(error) as { code?: unknown };
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined;
  return (
    known?.(error as FastifyError) ??
    new ServiceError('internal_error', 'An internal error occurred; include the X-Request-Id in a report', {
      cause: error,
    })
  );
}

/** Sends an error as the contract's body or, to clients that ask for it, as RFC 9457 problem details. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  { refusal, logger }: { refusal: ServiceError; logger: Logger },
) {
  const status = ERROR_STATUS[refusal.code];
  if (status >= 500) logger.error({ err: refusal.cause ?? refusal, requestId: request.id }, refusal.message);
  if (status === 401) reply.header('www-authenticate', challengeOf(request, refusal));
  const retryAfter = refusal.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const wantsProblem = request.headers.accept?.includes('application/problem+json') ?? false;
  return reply
    .code(status)
    .header('content-type', wantsProblem ? 'application/problem+json' : 'application/json; charset=utf-8')
    .send(JSON.stringify(wantsProblem ? toProblem(refusal) : toErrorBody(refusal)));
}

/** RFC 6750, section 3; RFC 9449, section 7.1; RFC 9470, section 3. */
function challengeOf({ headers }: FastifyRequest, { code }: ServiceError): string {
  const isRecent = code === 'reauthentication_required';
  if (isRecent) return 'Bearer error="insufficient_user_authentication", max_age=600';
  return /^dpop /i.test(headers.authorization ?? '') ? DPOP_CHALLENGE : 'Bearer';
}

export function toErrorBody({ code, message, listProblems }: ServiceError): ErrorBody {
  const more = (listProblems?.().length ?? 1) - 1;
  const text = more === 0 ? message : `${message} (${toCount(more)}: ${HOW_TO_LIST})`;
  return { error: { code, message: text, status: ERROR_STATUS[code] } };
}

/** This form of an error has no place for them. */
const HOW_TO_LIST = 'send Accept: application/problem+json to list all';

function toCount(more: number): string {
  if (more === 1) return '1 more problem';
  return `${more + 1 === MAX_PROBLEMS ? 'at least ' : ''}${more} more problems`;
}

function toProblem({ code, message, listProblems }: ServiceError): Problem {
  const status = ERROR_STATUS[code];
  const title = STATUS_CODES[status] ?? code;
  const errors = listProblems && { errors: [...listProblems()] };
  return { type: 'about:blank', title, status, detail: message, code, ...errors };
}
