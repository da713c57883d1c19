import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_STATUS, type ErrorCode } from '@tps/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteRefusal } from '../../platform/http/refusal-code.ts';
import type { Logger } from '../../platform/logger.ts';
import { peerOf } from '../../platform/rate-limit/peer-key.ts';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { hasFormToken } from '../../platform/web/form-token.ts';
import { html } from '../../platform/web/html.ts';
import { layout } from '../../platform/web/layout.ts';
import { pagePolicy } from '../../platform/web/page-policy.ts';
import type { WebReply, WebRequest, WebRoute, WebSite } from '../../platform/web/web-route.ts';
import { isForeign, toWebRequest } from './web-request.ts';

/** The largest form: a typed page has a few hundred bytes, a passkey a few thousand. */
const MAX_FORM_BYTES = 32_768;
/** Requests per minute from one address. Attempts to sign in have their own, lower limits. */
const PAGES_PER_MINUTE = 600;
const FORMS_PER_MINUTE = 120;

/** Serves the protocol endpoints of OAuth2 and OpenID Connect. */
interface AuthorizationServer {
  /** Paths outside the mount point that it also responds to. */
  readonly wellKnownPaths: readonly string[];
  /** Errors are its own responses. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface WebParts {
  readonly site: WebSite;
  /** Where the pages are below the service's own root, such as `/auth`. */
  readonly mountPath: string;
  readonly routes: readonly WebRoute[];
  readonly authorizationServer?: AuthorizationServer;
  readonly formKey: Buffer;
  readonly limiter: RateLimiter;
  readonly trustProxy: boolean;
  readonly logger: Logger;
}

/**
 * Serves pages for people, and hands every other path below the mount point to the authorization server. A form is accepted
 * only from our own pages: its origin and its form token are checked here.
 */
export async function mountWeb(app: FastifyInstance, parts: WebParts): Promise<void> {
  await app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, done) => done(null, body),
    );
    for (const route of parts.routes) mountPage(pages, route, parts);
  });
  const { authorizationServer } = parts;
  if (!authorizationServer) return;
  await app.register(async (protocol) => {
    // The authorization server reads the bodies itself.
    protocol.removeAllContentTypeParsers();
    protocol.addContentTypeParser('*', (_request, _payload, done) => done(null));
    for (const url of [`${parts.mountPath}/*`, ...authorizationServer.wellKnownPaths]) {
      protocol.route({
        url,
        method: ['GET', 'POST', 'DELETE', 'OPTIONS'],
        config: { web: 'protocol' },
        async handler(request, reply) {
          await count(request, reply, parts);
          reply.hijack();
          // What the hooks have set for every response.
          for (const [name, value] of Object.entries(reply.getHeaders())) {
            if (value !== undefined) reply.raw.setHeader(name, value);
          }
          await authorizationServer.handle(request.raw, reply.raw);
        },
      });
    }
  });
}

function mountPage(pages: FastifyInstance, route: WebRoute, parts: WebParts): void {
  pages.route({
    method: route.method,
    url: `${parts.mountPath}${route.path}`,
    exposeHeadRoute: false,
    config: { web: 'page' },
    errorHandler: async (error, request, reply) => {
      const refusal = error instanceof ServiceError ? error : undefined;
      const status = refusal ? ERROR_STATUS[refusal.code] : (error.statusCode ?? 500);
      if (status >= 500) parts.logger.error({ err: error, requestId: request.id }, 'page failed');
      if (refusal?.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
      noteRefusal(request.raw, refusal?.code ?? codeOf(status));
      return send(reply, parts, toErrorPage(status, refusal?.message, request.id));
    },
    async handler(request, reply) {
      await count(request, reply, parts);
      const { webRequest, cookie } = toWebRequest(request, reply, parts);
      if (route.method === 'POST') refuseForeignForm(webRequest, request, parts.site);
      const answer = await route.handle(webRequest);
      if (answer.status >= 400) noteRefusal(request.raw, codeOf(answer.status));
      return send(reply, parts, { ...answer, cookies: [...cookie, ...(answer.cookies ?? [])] });
    },
  });
}

async function count(request: FastifyRequest, reply: FastifyReply, parts: WebParts): Promise<void> {
  const isForm = request.method === 'POST' && request.routeOptions.config.web === 'page';
  const key = `${isForm ? 'forms' : 'pages'} ${peerOf(request.raw, parts.trustProxy)}`;
  const { allowed, retryAfterSeconds } = await parts.limiter.admit(
    key,
    isForm ? FORMS_PER_MINUTE : PAGES_PER_MINUTE,
  );
  if (allowed) return;
  reply.header('retry-after', retryAfterSeconds);
  throw new ServiceError('rate_limited', 'Too many requests from this address. Try again in a minute.');
}

/** Rejects a form that another site made the browser send. */
function refuseForeignForm({ form, formToken }: WebRequest, request: FastifyRequest, site: WebSite): void {
  if (!isForeign(request, site) && hasFormToken(form, formToken)) return;
  throw new ServiceError(
    'insufficient_scope',
    'This form is out of date, or came from another site. Open the page again.',
  );
}

/** A page has no error code: the logs have that of the API for its status. */
function codeOf(status: number): ErrorCode {
  return PAGE_CODES.get(status) ?? (status < 500 ? 'invalid_parameter' : 'internal_error');
}

const PAGE_CODES: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'invalid_credentials'],
  [403, 'insufficient_scope'],
  [404, 'not_found'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [422, 'invalid_field'],
  [429, 'rate_limited'],
  [503, 'unavailable'],
]);

function toErrorPage(status: number, message: string | undefined, requestId: string): WebReply {
  const text = message ?? (status < 500 ? 'The request is not valid.' : 'Something failed on our side.');
  return {
    status,
    page: {
      title: status < 500 ? 'This did not work' : 'The service has a problem',
      body: html`<p>${text}</p><p class="note">Request ${requestId}</p>`,
    },
  };
}

function send(reply: FastifyReply, { site }: WebParts, answer: WebReply): FastifyReply {
  const { status, page, body, cookies = [], headers = {}, formTargets = [] } = answer;
  reply.code(status).headers(headers);
  reply.header('content-security-policy', pagePolicy(formTargets));
  // With `no-referrer`, browsers would hide the origin of our own forms as well.
  reply.header('referrer-policy', 'same-origin');
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
  if (page) return reply.header('content-type', 'text/html; charset=utf-8').send(layout(site, page));
  if (body) return reply.header('content-type', body.type).send(body.content);
  return reply.send();
}
