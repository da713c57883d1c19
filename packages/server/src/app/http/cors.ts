import type { FastifyReply, FastifyRequest } from 'fastify';
import { methodsAt } from './path-methods.ts';

/** Headers that a page may send. Credentials are headers of this API: cookies are never allowed. */
const REQUEST_HEADERS = [
  'Authorization',
  'X-API-Key',
  'DPoP',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Content-Digest',
  'Signature-Input',
  'Signature',
  'X-Request-Id',
  'traceparent',
].join(', ');
/** A device with a wrong clock dates its signatures by `Date`. */
const RESPONSE_HEADERS = [
  'Date',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Location',
  'Link',
  'Deprecation',
  'Sunset',
].join(', ');
/** Browsers may keep the answer to a preflight for this long. A changed list of origins takes effect after it. */
const MAX_AGE_SECONDS = 600;

/** Lets pages of other origins call the API (the CORS protocol of the Fetch standard). */
export interface CrossOrigin {
  /** Adds the headers that let a page of a listed origin read the response. */
  allow(request: FastifyRequest, reply: FastifyReply): void;
  /** Responds to the preflight of a listed origin. Returns false for any other request. */
  answerPreflight(request: FastifyRequest, reply: FastifyReply): boolean;
}

export function createCrossOrigin(origins: readonly string[]): CrossOrigin {
  const isListed = ({ headers }: FastifyRequest) =>
    headers.origin !== undefined && origins.includes(headers.origin);

  return {
    allow(request, reply) {
      if (origins.length === 0) return;
      reply.header('vary', 'Origin');
      if (!isListed(request)) return;
      reply.header('access-control-allow-origin', request.headers.origin);
      reply.header('access-control-expose-headers', RESPONSE_HEADERS);
    },
    answerPreflight(request, reply) {
      const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers;
      const methods = isPreflight && isListed(request) ? methodsAt(request.url) : [];
      if (methods.length === 0) return false;
      reply.header('access-control-allow-methods', methods.join(', '));
      reply.header('access-control-allow-headers', REQUEST_HEADERS);
      reply.header('access-control-max-age', MAX_AGE_SECONDS);
      reply.code(204).send();
      return true;
    },
  };
}
