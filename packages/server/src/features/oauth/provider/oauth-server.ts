import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { noteRefusal } from '../../../platform/http/refusal-code.ts';
import { html } from '../../../platform/web/html.ts';
import { layout } from '../../../platform/web/layout.ts';
import { pagePolicy } from '../../../platform/web/page-policy.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import { createProvider, type ProviderParts } from './create-provider.ts';
import { OauthKeys } from './oauth-keys.ts';
import { redirectRequestForm } from './request-form.ts';
import { STORE_DOWN } from './store-down.ts';

/** How long the keys that were read are used before they are read again. The next key is announced days before its use. */
const KEYS_READ_EVERY_MS = 300_000;
const AUTHORIZE = '/authorize';
const METADATA_PATH = '/.well-known/oauth-authorization-server';
/**
 * The addresses at which the provider responds, in this spelling only. Its router ignores case and a slash at the end, and
 * has pages for devices, in whose place are ours.
 */
const SERVED =
  /^\/(?:authorize(?:\/[\w-]+)?|token|revoke|introspect|jwks|userinfo|par|device\/code|\.well-known\/[\w-]+)$/;
/** Endpoints that pages of other origins may call: those of the API's own list. */
const SHARED = /^\/(?:token|revoke|jwks|userinfo|\.well-known\/[\w-]+)$/;

export type OauthServerParts = Omit<ProviderParts, 'resource'> & {
  readonly secrets: SecretBox;
  /** Known once the service listens. */
  readonly resource: () => string;
  /** Where the endpoints are below the service's own root, such as `/auth`. */
  readonly mountPath: string;
};

/** The authorization server. It is created when it is first needed, and again when its keys change. */
export class OauthServer {
  readonly #parts: OauthServerParts;
  readonly #keys: OauthKeys;
  #current: { readonly provider: Promise<Provider>; readonly version: string } | undefined;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<Provider> | undefined;

  constructor(parts: OauthServerParts) {
    this.#parts = parts;
    this.#keys = new OauthKeys(parts);
  }

  get wellKnownPaths(): string[] {
    const { mountPath, site } = this.#parts;
    // A client puts the path of the issuer behind it (RFC 8414, section 3.1); a proxy may remove its prefix from that.
    const issuerPaths = ['', mountPath, new URL(site.url).pathname];
    return [...new Set(issuerPaths)].map((path) => `${METADATA_PATH}${path}`);
  }

  readonly provider = async (): Promise<Provider> => {
    const age = this.#parts.clock.now() - this.#checkedAtMs;
    if (this.#current && age >= 0 && age < KEYS_READ_EVERY_MS) return this.#current.provider;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  };

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = this.#pathOf(request);
    const [name = ''] = path.split('?', 1);
    if (answerOtherOrigin(name, request, response)) return;
    const { site } = this.#parts;
    if (!SERVED.test(name)) return answerUnknown(request, response, site);
    const { pathname } = new URL(site.url);
    if (request.method === 'POST' && path === AUTHORIZE) {
      return redirectRequestForm(request, response, `${pathname}${AUTHORIZE}`);
    }
    const provider = await this.provider().catch((error: unknown) => {
      this.#parts.logger.error({ err: error }, 'authorization server could not be created');
    });
    if (!provider) return answerStoreDown(request, response);
    // The provider serves paths below its own root, and builds addresses from the original one.
    Object.assign(request, { originalUrl: `${pathname}${path}`, url: path });
    await provider.callback()(request, response);
  }

  async #check(): Promise<Provider> {
    const keys = await this.#keys.read();
    if (this.#current?.version !== keys.version) {
      const { resource, ...parts } = this.#parts;
      const provider = createProvider({ ...parts, resource: resource() }, keys);
      this.#current = { provider, version: keys.version };
      provider.catch(() => {
        this.#current = undefined;
      });
    }
    this.#checkedAtMs = this.#parts.clock.now();
    return this.#current.provider;
  }

  #pathOf({ url = '/' }: IncomingMessage): string {
    const { mountPath } = this.#parts;
    if (url.startsWith(`${mountPath}/`)) return url.slice(mountPath.length);
    return METADATA_PATH;
  }
}

/**
 * Applies the API's rules for pages of other origins in place of the provider's, which would let any origin read. The headers
 * for a listed origin have been set. Returns whether the response was sent.
 */
function answerOtherOrigin(path: string, request: IncomingMessage, response: ServerResponse): boolean {
  if (!SHARED.test(path)) response.removeHeader('access-control-allow-origin');
  const isListed = response.hasHeader('access-control-allow-origin');
  delete request.headers.origin;
  if (request.method !== 'OPTIONS') return false;
  if (isListed) {
    response.setHeader('access-control-allow-methods', 'GET, POST');
    response.setHeader('access-control-allow-headers', 'Authorization, Content-Type, DPoP');
    response.setHeader('access-control-max-age', 600);
  }
  response.statusCode = isListed ? 204 : 404;
  if (!isListed) noteRefusal(request, 'not_found');
  response.end();
  return true;
}

/** The authorization server needs its keys, which are in the store. */
function answerStoreDown(request: IncomingMessage, response: ServerResponse): void {
  noteRefusal(request, STORE_DOWN.body.error);
  response.statusCode = STORE_DOWN.status;
  response.setHeader('retry-after', STORE_DOWN.retryAfterS);
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(STORE_DOWN.body));
}

/** A person may have mistyped the address of a page. */
function answerUnknown(request: IncomingMessage, response: ServerResponse, site: WebSite): void {
  noteRefusal(request, 'not_found');
  const body = html`<p>Compare the address with the one that you were given.</p>
<p><a href="${site.path('/account')}">Your account</a></p>`;
  response.writeHead(404, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pagePolicy(),
  });
  response.end(layout(site, { title: 'This page does not exist', body }));
}
