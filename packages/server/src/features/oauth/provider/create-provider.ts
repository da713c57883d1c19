import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { hashCredential, mintCredential } from '../../../platform/crypto/credentials.ts';
import { noteRefusal } from '../../../platform/http/refusal-code.ts';
import type { Logger } from '../../../platform/logger.ts';
import { peerOf } from '../../../platform/rate-limit/peer-key.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import type { AccountSessions } from '../../accounts/index.ts';
import * as clientReadModel from '../clients/client-read-model.ts';
import { acceptedSecretHashes } from '../clients/oauth-client.ts';
import type { ConsentService } from '../consent/consent-service.ts';
import { consentSettings, preparePages } from '../consent/consent-settings.ts';
import { proofIn } from './client-proof.ts';
import type { OauthKeySet } from './oauth-keys.ts';
import { providerSettings } from './provider-settings.ts';
import { RecordAdapter } from './record-adapter.ts';
import { isStoreDown, STORE_DOWN } from './store-down.ts';

export interface ProviderParts {
  readonly config: Pick<Config, 'auth' | 'rateLimit'>;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly site: WebSite;
  readonly resource: string;
  readonly sessions: AccountSessions;
  readonly consents: ConsentService;
}

/** Creates the authorization server. Loads its library, which takes a tenth of a second: not at the start of the service. */
export async function createProvider(parts: ProviderParts, keys: OauthKeySet): Promise<Provider> {
  const { database, clock, logger, site, sessions, consents } = parts;
  const { Provider: OidcProvider, errors } = await import('oidc-provider');
  const tooLarge = () => new errors.InvalidRequest('the request is too large');
  const adapterParts = {
    ...{ database, clock },
    invalidGrant: (reason: string) => new errors.InvalidGrant(reason),
    tooLarge,
    context: () => OidcProvider.ctx,
    peerOf: (request: IncomingMessage) => peerOf(request, parts.config.rateLimit.trustProxy),
  };
  const adapter = (model: string) => new RecordAdapter(model, adapterParts);
  const settings = providerSettings({ ...parts, keys, adapter, errors });
  const provider = new OidcProvider(site.url, {
    ...settings,
    ...consentSettings({ site, consents, tooLarge }),
  });
  // Expected errors are responses; others are reported here.
  provider.silent = true;
  provider.on('server_error', (ctx, error) => {
    noteRefusal(ctx.req, 'server_error');
    logger.error({ err: error, requestId: ctx.res.getHeader('x-request-id') }, 'authorization server failed');
    if (!isStoreDown(error)) return;
    Object.assign(ctx, { status: STORE_DOWN.status, body: STORE_DOWN.body });
    ctx.set('retry-after', STORE_DOWN.retryAfterS);
  });
  noteRefusals(provider);
  nameTokens(provider);
  compareSecretsByHash(provider, { database, clock, context: () => OidcProvider.ctx });
  refuseOtherGrants(provider, {
    requested: () => OidcProvider.ctx?.oidc.params?.grant_type,
    refusal: () => new errors.UnauthorizedClient('the client may not use this grant type'),
  });
  trustOwnAddress(provider, site);
  keepOwnOrigins(provider);
  preparePages(provider, { sessions, site });
  return provider;
}

/** The endpoints whose refusals the library reports, each as an event. */
const REFUSING = [
  'authorization',
  'code_verification',
  'device_authorization',
  'device_resume',
  'discovery',
  'end_session',
  'grant',
  'introspection',
  'jwks',
  'pushed_authorization_request',
  'revocation',
  'userinfo',
];

/** Notes the `error` of a response, for the logs. */
function noteRefusals(provider: NodeJS.EventEmitter): void {
  for (const endpoint of REFUSING) {
    provider.on(`${endpoint}.error`, ({ req }: { req: IncomingMessage }, { error }: { error: string }) =>
      noteRefusal(req, error),
    );
  }
}

/** Tokens look like the other credentials of the service, so that scanners and logs recognise them. */
function nameTokens({ AccessToken, ClientCredentials, RefreshToken }: Provider): void {
  const name = ({ prototype }: { prototype: object }, kind: 'at' | 'rt') => {
    const { generateTokenId } = prototype as { generateTokenId: () => string };
    Object.assign(prototype, {
      generateTokenId(this: object) {
        // Also notes the format of the token.
        generateTokenId.call(this);
        return mintCredential(kind).reveal();
      },
    });
  };
  name(AccessToken, 'at');
  name(ClientCredentials, 'at');
  name(RefreshToken, 'rt');
}

/** Reads the hashes at each request: a rotated secret ends on every node when its overlap does. */
function compareSecretsByHash(
  { Client }: Provider,
  {
    database,
    clock,
    context,
  }: Pick<ProviderParts, 'database' | 'clock'> & { context: () => object | undefined },
): void {
  Client.prototype.compareClientSecret = async function compare(actual: string) {
    const client = await clientReadModel.findById(database.read, this.clientId);
    if (!client) return false;
    const secretHash = hashCredential(actual);
    Object.assign(proofIn(context()) ?? {}, { secretHash });
    const presented = Buffer.from(secretHash);
    const matches = acceptedSecretHashes(client, clock.now()).map((hash) => {
      const known = Buffer.from(hash);
      return known.length === presented.length && timingSafeEqual(known, presented);
    });
    return matches.includes(true);
  };
}

/** Responds as RFC 6749, section 5.2, defines it, to a client that lacks a grant. The provider would say `invalid_request`. */
function refuseOtherGrants(
  { Client }: Provider,
  { requested, refusal }: { requested: () => unknown; refusal: () => Error },
): void {
  const { grantTypeAllowed } = Client.prototype;
  Client.prototype.grantTypeAllowed = function isAllowed(type) {
    if (grantTypeAllowed.call(this, type)) return true;
    if (type === requested()) throw refusal();
    return false;
  };
}

/** The address of the service is configured: no header of a request says what it is. */
function trustOwnAddress(provider: Provider, { url }: WebSite): void {
  const { protocol, host, origin } = new URL(url);
  const own = { protocol: protocol.slice(0, -1), secure: protocol === 'https:', host, origin };
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(provider.request, name, { value });
  }
}

/** Which origins may read a response was decided before: the provider would allow any. */
function keepOwnOrigins(provider: Provider): void {
  const name = 'access-control-allow-origin';
  provider.use(async ({ res }, next) => {
    const allowed = res.getHeader(name);
    await next();
    if (allowed === undefined) res.removeHeader(name);
    else res.setHeader(name, allowed);
  });
}
