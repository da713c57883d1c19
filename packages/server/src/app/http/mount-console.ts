import { ERROR_STATUS } from '@tps/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccountSessions,
  type LoginService,
  removedSessionCookie,
} from '../../features/accounts/index.ts';
import {
  type ConsoleFiles,
  type ConsolePage,
  type ConsoleSession,
  type ConsoleSessions,
  toConsolePage,
  toMissingPage,
} from '../../features/console/index.ts';
import { noteRefusal } from '../../platform/http/refusal-code.ts';
import { peerOf } from '../../platform/rate-limit/peer-key.ts';
import type { RateLimiter } from '../../platform/rate-limit/rate-limiter.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { WebSite } from '../../platform/web/web-route.ts';
import { toErrorBody } from './send-error.ts';
import { isForeign, toWebRequest } from './web-request.ts';

/** The body names a tenant, and nothing else. */
const MAX_BODY_BYTES = 1024;
/** Requests per minute from one address, behind which there may be a whole office. */
const EXCHANGES_PER_MINUTE = 300;
const FILES_PER_MINUTE = 6000;
/** A form of another site cannot send it, and a script of another origin would have to ask first. */
const HEADER = 'x-tps-console';

export interface ConsoleParts {
  readonly site: WebSite;
  /** Where the console is below the service's own root. */
  readonly mountPath: string;
  readonly files: ConsoleFiles;
  readonly sessions: ConsoleSessions;
  readonly accountSessions: AccountSessions;
  readonly logins: Pick<LoginService, 'logout'>;
  readonly formKey: Buffer;
  readonly limiter: RateLimiter;
  readonly trustProxy: boolean;
  readonly nowMs: () => number;
}

/**
 * Serves the console: its files, its page at every other path, and the exchange of a person's session for a token. Only the
 * exchange reads a cookie.
 */
export async function mountConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  const { mountPath } = parts;
  const config = { web: 'page' } as const;
  await app.register(async (routes) => {
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_request, body, done) => done(null, body),
    );
    const session = `${mountPath}/session`;
    routes.post(session, { config }, (request, reply) => exchange(request, reply, parts));
    routes.delete(session, { config }, (request, reply) => signOut(request, reply, parts));
    // A token never comes by GET, and this is not a page either.
    routes.get(session, { config }, async (_request, reply) => {
      reply.header('allow', 'POST, DELETE');
      throw new ServiceError('method_not_allowed', 'GET is not allowed at this path');
    });
    for (const url of [mountPath, `${mountPath}/*`]) {
      routes.get(url, { config }, (request, reply) => serve(request, reply, parts));
    }
  });
}

async function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, mountPath, files, ...parts }: ConsoleParts,
): Promise<FastifyReply> {
  await count(request, { ...parts, kind: 'files', limit: FILES_PER_MINUTE });
  const [path = ''] = request.url.split('?', 1);
  const name = path.slice(mountPath.length + 1);
  const file = await files.find(name, request.headers['accept-encoding']);
  if (file) {
    const { type, content, encoding, isImmutable } = file;
    const age = isImmutable ? 'max-age=31536000, immutable' : 'max-age=3600';
    reply.headers({ 'content-type': type, 'cache-control': `public, ${age}`, vary: 'Accept-Encoding' });
    if (encoding !== undefined) reply.header('content-encoding', encoding);
    return reply.send(content);
  }
  // A page in place of a script of an earlier version would be a riddle.
  if (name.startsWith('assets/')) throw new ServiceError('not_found', 'This path does not exist');
  const template = await files.page();
  return sendPage(reply, template === undefined ? toMissingPage(site) : toConsolePage(site, template));
}

function sendPage(reply: FastifyReply, { status, policy, content }: ConsolePage): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
    })
    .send(content);
}

async function exchange(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ConsoleParts,
): Promise<FastifyReply> {
  const { site, sessions } = parts;
  await admit(request, parts);
  const { webRequest } = toWebRequest(request, reply, parts);
  const session = await sessions.open(webRequest, readTenantId(request.body));
  if (session) return reply.send(toBody(session, parts));
  // The cookie of a session that has ended is of no use any more.
  reply.header('set-cookie', removedSessionCookie(site));
  const refusal = new ServiceError('missing_credentials', 'You are not signed in.');
  noteRefusal(request.raw, refusal.code);
  return reply.code(ERROR_STATUS[refusal.code]).send(toErrorBody(refusal));
}

async function signOut(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ConsoleParts,
): Promise<FastifyReply> {
  await admit(request, parts);
  const { webRequest } = toWebRequest(request, reply, parts);
  const session = await parts.accountSessions.find(webRequest);
  if (session) await parts.logins.logout(webRequest, session);
  return reply.code(204).header('set-cookie', removedSessionCookie(parts.site)).send();
}

/** @throws ServiceError `rate_limited`; `insufficient_scope` unless a script of the console makes the request */
async function admit(request: FastifyRequest, parts: ConsoleParts): Promise<void> {
  await count(request, { ...parts, kind: 'console', limit: EXCHANGES_PER_MINUTE });
  const isOwn = request.headers.origin !== undefined && !isForeign(request, parts.site);
  if (isOwn && request.headers[HEADER] !== undefined) return;
  const { origin } = new URL(parts.site.url);
  throw new ServiceError('insufficient_scope', `Only the console at ${origin} can use this path.`);
}

async function count(
  request: FastifyRequest,
  {
    kind,
    limit,
    limiter,
    trustProxy,
  }: Pick<ConsoleParts, 'limiter' | 'trustProxy'> & { kind: string; limit: number },
): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.admit(
    `${kind} ${peerOf(request.raw, trustProxy)}`,
    limit,
  );
  if (allowed) return;
  const message = 'Too many requests from this address. Try again in a minute.';
  throw new ServiceError('rate_limited', message, { retryAfterSeconds });
}

function readTenantId(body: unknown): string | undefined {
  const { tenant_id: tenantId } = parse(body);
  if (tenantId === undefined || typeof tenantId === 'string') return tenantId;
  throw new ServiceError('invalid_field', 'tenant_id must be a string');
}

function parse(body: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Not JSON: refused below.
  }
  throw new ServiceError('invalid_json', 'The body must be a JSON object');
}

function toBody(opened: ConsoleSession, { nowMs }: ConsoleParts) {
  const { account, tenant, session, tenants } = opened;
  return {
    access_token: opened.credential.reveal(),
    token_type: 'Bearer',
    expires_in: Math.floor((opened.expiresAtMs - nowMs()) / 1000),
    account: {
      id: account.accountId,
      name: account.name,
      email: account.email,
      email_verified: account.emailVerifiedAtMs !== null,
    },
    tenant: { id: tenant.tenantId, name: tenant.tenantName },
    role: tenant.role,
    scopes: opened.scopes,
    tenants: tenants.map(({ tenantId, tenantName, role }) => ({ id: tenantId, name: tenantName, role })),
    authenticated_at: toTimestamp(session.authenticatedAtMs),
  };
}
