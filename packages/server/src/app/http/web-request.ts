import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { peerOf } from '../../platform/rate-limit/peer-key.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { hasNul } from '../../platform/text.ts';
import { cookieName, parseCookies, toCookie } from '../../platform/web/cookies.ts';
import { toFormToken } from '../../platform/web/form-token.ts';
import type { WebRequest, WebSite } from '../../platform/web/web-route.ts';

const BROWSER_COOKIE = 'tps-browser';
const BROWSER_ID = /^[\w-]{22}$/;
const MAX_USER_AGENT = 256;

interface RequestParts {
  readonly site: WebSite;
  readonly mountPath: string;
  readonly formKey: Buffer;
  readonly trustProxy: boolean;
}

/**
 * Reads the request of a browser. A browser without an id gets one: `cookie` is the header that sets it.
 * @throws ServiceError `invalid_parameter` for U+0000 in the path, the query or the form
 */
export function toWebRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, formKey, mountPath, trustProxy }: RequestParts,
): { webRequest: WebRequest; cookie: readonly string[] } {
  const [path = '', query = ''] = request.url.split('?', 2);
  const cookies = parseCookies(request.headers.cookie);
  const known = cookies.get(cookieName(site, BROWSER_COOKIE));
  const isKnown = known !== undefined && BROWSER_ID.test(known);
  const browserId = isKnown ? known : randomBytes(16).toString('base64url');
  const peer = peerOf(request.raw, trustProxy);
  const params = request.params as Record<string, string>;
  const search = new URLSearchParams(query);
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  if ([...Object.values(params), ...search.values(), ...form.values()].some(hasNul)) {
    throw new ServiceError('invalid_parameter', 'The address or the form contains the character U+0000.');
  }
  const webRequest: WebRequest = {
    method: request.method === 'POST' ? 'POST' : 'GET',
    path: path.slice(mountPath.length),
    params,
    query: search,
    form,
    cookies,
    browserId,
    formToken: toFormToken(formKey, browserId),
    peer,
    address: peer,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT),
    requestId: request.id,
    site,
    raw: { request: request.raw, response: reply.raw },
  };
  return { webRequest, cookie: isKnown ? [] : [toCookie(BROWSER_COOKIE, browserId, { site })] };
}

/** Returns whether the browser says that a page of another origin makes the request. */
export function isForeign({ headers }: Pick<FastifyRequest, 'headers'>, site: WebSite): boolean {
  const { origin } = new URL(site.url);
  return (
    (headers.origin !== undefined && headers.origin !== origin) ||
    ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
  );
}
