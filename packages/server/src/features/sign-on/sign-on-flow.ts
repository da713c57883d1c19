import { hash } from 'node:crypto';
import { type Database, networkRequester, personRequester, type Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { TenantSlots } from '../../platform/concurrency/tenant-slots.ts';
import type { Logger } from '../../platform/logger.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { WebRequest, WebSite } from '../../platform/web/web-route.ts';
import {
  type AccountService,
  type AccountSession,
  type AccountSessions,
  challengeStore,
  type EndedCredentials,
  isRecent,
  type LoginService,
  type LoginThrottle,
  type SignedIn,
  type VerificationService,
} from '../accounts/index.ts';
import { auditStore, SERVICE } from '../audit/index.ts';
import type { EndAccessOfMember } from '../members/index.ts';
import { admit, lockForAdmission } from './admit-person.ts';
import { isSufficient, toPerson } from './claims/person.ts';
import { type OpenIdProviders, type ProviderClaims, ProviderError } from './openid-provider.ts';
import * as identityStore from './sign-on-identity-store.ts';
import { type SignOnProvider, toRedirectUri } from './sign-on-provider.ts';
import * as providerStore from './sign-on-provider-store.ts';
import { explainRefusal, type SignOnRefusal } from './sign-on-refusal.ts';
import type { SignOnService } from './sign-on-service.ts';
import { isActiveTenant, listTenantsOf } from './tenant-read-model.ts';

const LIFETIME_MS = 10 * 60_000;
/** Sign-ons of one tenant that contact its provider at the same time: a provider may be slow, or hostile. */
const PER_TENANT = 4;
const MAX_STATE_LENGTH = 64;

/** What a browser has begun. It holds no secret: see `BrowserProof`. */
interface Begun {
  readonly tenantId: TenantId;
  /** The settings that the sign-on began with: it ends if they change. */
  readonly updatedAtMs: number;
  readonly browserHash: string;
  readonly returnTo: string;
  /** The session whose person confirms who they are; null for a sign-in. */
  readonly confirms: string | null;
}

export type SignOnOutcome =
  | {
      readonly kind: 'signed_in';
      readonly cookies: readonly string[];
      readonly returnTo: string;
      /** What has ended because the provider was the first to prove the address of the account. */
      readonly ended?: EndedCredentials | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: SignOnRefusal;
      readonly tenantId?: TenantId;
      readonly returnTo?: string;
    };

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly site: Pick<WebSite, 'url'>;
  readonly signOn: SignOnService;
  readonly providers: OpenIdProviders;
  readonly accounts: Pick<AccountService, 'create'>;
  readonly verification: VerificationService;
  readonly logins: Pick<LoginService, 'signIn' | 'reauthenticate'>;
  readonly sessions: AccountSessions;
  readonly endAccess: EndAccessOfMember;
  readonly throttle: LoginThrottle;
}

/** Takes a person to the provider of their tenant, and signs them in when they come back. */
export class SignOnFlow {
  readonly #parts: Parts;
  readonly #slots = new TenantSlots(PER_TENANT);

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Finds the provider of a tenant that people may use now. */
  async findProvider(tenantId: TenantId): Promise<SignOnProvider | undefined> {
    const { read } = this.#parts.database;
    return (await isActiveTenant(read, tenantId)) ? providerStore.find(read, tenantId) : undefined;
  }

  /** Finds the only tenant whose people have addresses in the domain. */
  async findTenant(domain: string): Promise<TenantId | undefined> {
    const [tenantId, ...others] = await listTenantsOf(this.#parts.database.read, domain);
    return others.length === 0 ? tenantId : undefined;
  }

  /** Returns the address of the provider to which the browser goes next. @throws ProviderError */
  async begin(
    request: WebRequest,
    wanted: { tenantId: TenantId; provider: SignOnProvider; returnTo: string; confirms?: AccountSession },
  ): Promise<URL> {
    const { database, clock, site, providers } = this.#parts;
    const { tenantId, provider, returnTo, confirms } = wanted;
    const secret = challengeStore.mintSecret();
    const url = await this.#slots.run(tenantId, () =>
      providers.toAuthorizationUrl(this.#accessTo(tenantId, provider), {
        proof: { state: secret.reveal(), browserId: request.browserId },
        redirectUri: toRedirectUri(site.url),
        extraScopes: provider.extraScopes,
        isFresh: confirms !== undefined,
      }),
    );
    const begun: Begun = {
      tenantId,
      updatedAtMs: provider.updatedAtMs,
      browserHash: hashOf(request.browserId),
      returnTo,
      confirms: confirms?.sessionHash ?? null,
    };
    const requester = confirms
      ? personRequester('sign_on', confirms.accountId)
      : networkRequester(request.peer);
    await database.transaction((tx) =>
      challengeStore.create(tx, {
        secret,
        requester,
        kind: 'sign_on',
        accountId: null,
        payload: begun,
        nowMs: clock.now(),
        lifetimeMs: LIFETIME_MS,
      }),
    );
    await challengeStore.removeExcess(database, requester);
    return url;
  }

  /** Handles the response that the provider has given to the browser. A response is used once. */
  async complete(request: WebRequest): Promise<SignOnOutcome> {
    const state = (request.query.get('state') ?? '').slice(0, MAX_STATE_LENGTH);
    const taken = await this.#take(request, state);
    if (!taken) return { kind: 'refused', refusal: 'expired' };
    const { begun, createdAtMs } = taken;
    const { tenantId, returnTo } = begun;
    const provider = await this.findProvider(tenantId);
    if (provider?.updatedAtMs !== begun.updatedAtMs) return { kind: 'refused', refusal: 'expired', tenantId };
    try {
      const claims = await this.#redeem(request, { state, begun, createdAtMs, provider });
      const outcome = await this.#finish(request, { begun, provider, claims });
      if (outcome.kind === 'signed_in') return outcome;
      await this.#recordRefusal(request, { begun, provider, refusal: outcome.refusal });
      return { ...outcome, tenantId, returnTo };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await this.#recordRefusal(request, { begun, provider, refusal: 'provider_failed', error });
      return { kind: 'refused', refusal: 'provider_failed', tenantId, returnTo };
    }
  }

  /** Uses up what the browser has begun. Another browser gets nothing, and ends it as well. */
  async #take(
    request: WebRequest,
    state: string,
  ): Promise<{ begun: Begun; createdAtMs: number } | undefined> {
    const { database, clock } = this.#parts;
    const wanted = { secret: state, kind: 'sign_on', nowMs: clock.now() } as const;
    const taken = await database.transaction((tx) => challengeStore.take<Begun>(tx, wanted));
    if (taken?.payload.browserHash !== hashOf(request.browserId)) return undefined;
    return { begun: taken.payload, createdAtMs: taken.createdAtMs };
  }

  #redeem(
    request: WebRequest,
    found: { state: string; begun: Begun; createdAtMs: number; provider: SignOnProvider },
  ): Promise<ProviderClaims> {
    const { providers, site, clock } = this.#parts;
    const { state, begun, provider } = found;
    const url = new URL(`${toRedirectUri(site.url)}?${request.query}`);
    const proof = { state, browserId: request.browserId };
    // To confirm, the person must have proved who they are since the sign-on began.
    const elapsedS = Math.ceil((clock.now() - found.createdAtMs) / 1000);
    const authenticatedForS = begun.confirms === null ? undefined : elapsedS;
    return this.#slots.run(begun.tenantId, () =>
      providers.redeem(this.#accessTo(begun.tenantId, provider), {
        ...{ url, proof, authenticatedForS },
        suffices: (idToken) => isSufficient(provider, idToken),
      }),
    );
  }

  async #finish(
    request: WebRequest,
    { begun, provider, claims }: { begun: Begun; provider: SignOnProvider; claims: ProviderClaims },
  ): Promise<SignOnOutcome> {
    const person = toPerson(provider, claims);
    if (typeof person === 'string') return { kind: 'refused', refusal: person };
    const { database, sessions, clock, accounts, verification, endAccess, throttle, logins } = this.#parts;
    const { tenantId } = begun;
    const present = await sessions.find(request);
    const nowMs = clock.now();
    const isOwn = present !== undefined && present.tenantId === null;
    const { outcome, awaitEnd } = await database.transaction(
      async (tx) => {
        await lockForAdmission(tx, { tenantId, provider, person });
        const current = await providerStore.findForUpdate(tx, tenantId);
        if (current?.updatedAtMs !== provider.updatedAtMs) return { outcome: refused('expired') };
        const mismatch = begun.confirms && (await findMismatch(tx, { begun, provider, claims, present }));
        if (mismatch) return { outcome: refused(mismatch) };
        const admission = await admit(tx, {
          ...{ tenantId, provider, person, accounts, verification, sessions, throttle, endAccess, nowMs },
          own: isOwn ? { ...present, isRecent: isRecent(present, nowMs) } : undefined,
          requestId: request.requestId,
        });
        const { awaitEnd, ended } = admission;
        if ('refusal' in admission) return { outcome: refused(admission.refusal), awaitEnd };
        const { accountId } = admission.account;
        const methods = ['sso'] as const;
        const authenticatedAtMs = toAuthenticatedAt(claims, nowMs);
        const signedIn =
          begun.confirms !== null && present
            ? await logins.reauthenticate(tx, request, { session: present, methods })
            : await logins.signIn(tx, request, { accountId, methods, tenantId, authenticatedAtMs });
        return { outcome: { ...toOutcome(signedIn, begun), ended }, awaitEnd };
      },
      { repeatable: true },
    );
    await awaitEnd?.();
    return outcome;
  }

  #accessTo(tenantId: TenantId, provider: SignOnProvider) {
    const { issuer, clientId } = provider;
    return { issuer, clientId, secret: this.#parts.signOn.secretOf(tenantId, provider) };
  }

  /**
   * For the admins of the tenant: people see less. A few entries per hour and reason, because anyone can begin a sign-on and
   * bring back an error.
   */
  async #recordRefusal(
    { requestId }: WebRequest,
    refused: { begun: Begun; provider: SignOnProvider; refusal: SignOnRefusal; error?: ProviderError },
  ): Promise<void> {
    const { database, clock, logger, throttle } = this.#parts;
    const { refusal, error } = refused;
    const { tenantId } = refused.begun;
    const { roleClaim } = refused.provider;
    const detail = error?.message ?? explainRefusal(refusal, roleClaim);
    logger.warn({ tenantId, requestId, reason: detail }, 'sign-on failed');
    const entry = {
      tenantId,
      requestId,
      action: 'sign_on.refused',
      actor: SERVICE,
      outcome: 'denied',
      resource: { type: 'sign_on', id: tenantId },
      detail,
      fields: { reason: refusal, role_claim: roleClaim },
    } as const;
    await database.transaction(async (tx) => {
      const key = { budget: 'sign_on_audit', value: `${tenantId} ${refusal}` } as const;
      const { allowed } = await throttle.admitWithin(tx, [key]);
      if (allowed) await auditStore.append(tx, entry, clock.now());
    });
  }
}

/** Returns why a sign-on does not confirm who the person of a session is; undefined if it does. */
async function findMismatch(
  tx: Queries,
  {
    begun: { tenantId, confirms },
    provider: { issuer },
    claims: { subject },
    present,
  }: { begun: Begun; provider: SignOnProvider; claims: ProviderClaims; present: AccountSession | undefined },
): Promise<'expired' | 'another_person' | undefined> {
  if (!present || present.sessionHash !== confirms || present.tenantId !== tenantId) return 'expired';
  const accountId = await identityStore.findAccountId(tx, { tenantId, issuer, subject });
  return accountId === present.accountId ? undefined : 'another_person';
}

function refused(refusal: SignOnRefusal): SignOnOutcome {
  return { kind: 'refused', refusal };
}

function toOutcome(signedIn: SignedIn | undefined, { returnTo }: Begun): SignOnOutcome {
  if (!signedIn) return refused('disabled');
  return { kind: 'signed_in', cookies: signedIn.cookies, returnTo };
}

/** A provider may have asked the person long ago. One that does not say so counts as long ago. */
function toAuthenticatedAt({ authenticatedAtMs = 0 }: ProviderClaims, nowMs: number): number {
  return Math.min(authenticatedAtMs, nowMs);
}

/** The browser's id has 128 random bits, so the hash needs no salt. */
function hashOf(browserId: string): string {
  return hash('sha256', browserId, 'hex');
}
