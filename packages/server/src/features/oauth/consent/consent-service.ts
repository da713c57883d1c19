import { ROLE_SCOPES, type Role } from '@tps/contract';
import { describeHolding } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { type AccountSession, type AccountSessions, isRecent } from '../../accounts/index.ts';
import { type AuditRecord, auditStore } from '../../audit/index.ts';
import { lockTenant } from '../../authority/index.ts';
import type { Holdings } from '../../holdings/index.ts';
import { lockReachedTenant, membershipStore, reachesTenant, tenantsOf } from '../../members/index.ts';
import * as clientStore from '../clients/client-store.ts';
import { COMMAND_LINE_CLIENT } from '../command-line-client.ts';
import { createGrantId } from '../grant-id.ts';
import { type ConsentClient, findConsentClient } from './consent-client.ts';
import type { Consent, ConsentKey } from './consent-store.ts';
import * as consentStore from './consent-store.ts';
import { decideScopes, givenBy, isEmpty, isSensitive, type ScopeDecision } from './scope-decision.ts';

/** What a client asks of a person. */
export interface AccessRequest {
  /** The session of the person. One that the provider of a tenant has opened reaches only that tenant. */
  readonly session: Pick<AccountSession, 'accountId' | 'tenantId' | 'sessionHash' | 'authenticatedAtMs'>;
  readonly clientId: string;
  /** The scopes, as the client wrote them. */
  readonly asked: readonly string[];
}

/** A tenant in which a person can give a client access. */
export interface TenantOffer {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly role: Role;
  readonly decision: ScopeDecision;
}

/** What a person is asked, and what the answer can be. */
export interface ConsentReview {
  readonly client: ConsentClient;
  /** Empty if the session reaches no tenant in which the client may act. */
  readonly offers: readonly TenantOffer[];
  /** Whether the person must prove who they are before they can allow what is asked. */
  readonly needsProof: boolean;
  /** A tenant that the person would reach through single sign-on, and in which the client may act. */
  readonly needsSignOn: TenantId | undefined;
}

/** How a person answers a consent page with yes. */
export interface ConsentAnswer {
  /** The tenant that the person has chosen. */
  readonly tenantId: string;
  /** The version of the client that the page showed; null if the form has none. */
  readonly shownVersion: string | null;
  readonly requestId: string;
}

/** What a client gets: the content of a grant. */
export interface AllowedAccess {
  readonly tenantId: TenantId;
  readonly accountId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly decision: ScopeDecision;
}

/** An application that a person lets act in a tenant. */
export interface AllowedApplication extends Consent {
  readonly name: string;
  readonly uri: string | null;
  readonly tenantName: string;
  /** What the application has set up for the person, and ends with the consent. */
  readonly ending: readonly string[];
}

/**
 * Ends the grants that rest on a consent, and what was set up with them, in a transaction. Returns a function to call after
 * the commit.
 */
export type EndAccessOfConsent = (tx: Queries, key: ConsentKey) => Promise<() => Promise<void>>;

/** Decides what people can give to clients, and remembers what they gave. */
export class ConsentService {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #sessions: Pick<AccountSessions, 'lock'>;
  readonly #endAccess: EndAccessOfConsent;
  readonly #holdings: Pick<Holdings, 'list'>;

  constructor(parts: {
    database: Database;
    clock: Clock;
    sessions: Pick<AccountSessions, 'lock'>;
    endAccess: EndAccessOfConsent;
    holdings: Pick<Holdings, 'list'>;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#sessions = parts.sessions;
    this.#endAccess = parts.endAccess;
    this.#holdings = parts.holdings;
  }

  /** Returns undefined if the client does not exist any more. */
  async review({ session, clientId, asked }: AccessRequest): Promise<ConsentReview | undefined> {
    const { read } = this.#database;
    const client = await findConsentClient(read, clientId);
    if (!client) return undefined;
    const tenants = (await tenantsOf(read, session.accountId)).filter(({ tenantId }) =>
      isPossible(tenantId, client, session),
    );
    const offers = tenants
      .filter((tenant) => reachesTenant(session, tenant))
      .map((tenant) => ({ ...tenant, decision: decisionOf(client, tenant.role, asked) }));
    const needsSignOn = tenants.find((tenant) => !reachesTenant(session, tenant))?.tenantId;
    const needsProof = offers.some(({ decision }) => this.#mustProve(session, clientId, decision));
    return { client, offers, needsProof, needsSignOn };
  }

  /**
   * Records that a person allows a client what it asks for, as far as their role in the tenant allows it. Returns undefined
   * if the client, the membership or the session has ended meanwhile, the client is not as the page showed it, the person has to
   * prove who they are, or nothing would be allowed.
   */
  allow(
    request: AccessRequest,
    { tenantId, shownVersion, requestId }: ConsentAnswer,
  ): Promise<AllowedAccess | undefined> {
    const { session, clientId } = request;
    const { accountId } = session;
    return this.#database.transaction(async (tx) => {
      const found = await this.#decide(tx, request, tenantId as TenantId);
      if (!found || String(found.client.version) !== shownVersion) return undefined;
      const key = { tenantId: found.tenantId, accountId, clientId };
      const earlier = await consentStore.find(tx, key);
      const given = givenBy(found.decision);
      await consentStore.save(tx, {
        ...key,
        scopes: union(earlier?.scopes, given),
        grantedAtMs: this.#clock.now(),
        latest: {
          clientVersion: found.client.version,
          scopes: union(earlier && allowedAsItIs(earlier, found.client), given),
        },
      });
      return this.#record(tx, { ...key, decision: found.decision }, requestId);
    });
  }

  /**
   * Repeats what the person has allowed a client before. Returns undefined if they must be asked: for a new scope, for a
   * client that is not bound to a tenant, for one that has changed since, because another address may get the code now, and if
   * they must prove who they are.
   */
  async repeat(request: AccessRequest, requestId: string): Promise<AllowedAccess | undefined> {
    const client = await findConsentClient(this.#database.read, request.clientId);
    if (!client || client.tenantId === null) return undefined;
    const { tenantId } = client;
    const { clientId } = request;
    const { accountId } = request.session;
    return this.#database.transaction(async (tx) => {
      const found = await this.#decide(tx, request, tenantId);
      const earlier = await consentStore.find(tx, { tenantId, accountId, clientId });
      if (!found || !earlier) return undefined;
      const allowed = allowedAsItIs(earlier, found.client);
      if (!givenBy(found.decision).every((scope) => allowed.includes(scope))) return undefined;
      return this.#record(tx, { tenantId, accountId, clientId, decision: found.decision }, requestId);
    });
  }

  /** Lists the applications that a person lets act, the latest first. */
  async list(session: Pick<AccountSession, 'accountId' | 'tenantId'>): Promise<AllowedApplication[]> {
    const { read } = this.#database;
    const { accountId } = session;
    const names = new Map((await tenantsOf(read, accountId)).map((one) => [one.tenantId, one.tenantName]));
    const applications: AllowedApplication[] = [];
    for (const consent of await consentStore.listOf(read, accountId)) {
      const client = await findConsentClient(read, consent.clientId);
      const tenantName = names.get(consent.tenantId);
      if (client && tenantName !== undefined && isPossible(consent.tenantId, client, session)) {
        const { tenantId, clientId } = consent;
        const ending = await this.#holdings.list(tenantId, { ownerId: accountId, clientId });
        const { name, uri } = client;
        applications.push({ ...consent, name, uri, tenantName, ending: ending.map(describeHolding) });
      }
    }
    return applications;
  }

  /**
   * Ends what a person lets an application do in a tenant. Afterwards no request with one of its tokens can change anything.
   * Has no effect if the person has not allowed the application.
   */
  async withdraw(
    session: Pick<AccountSession, 'accountId' | 'tenantId'>,
    { tenantId, clientId, requestId }: { tenantId: TenantId; clientId: string; requestId: string },
  ): Promise<void> {
    const { accountId } = session;
    // The provider of one tenant decides nothing about another one.
    if (session.tenantId !== null && session.tenantId !== tenantId) return;
    const key = { tenantId, accountId, clientId };
    const awaitEnd = await this.#database.transaction(
      async (tx) => {
        await lockTenant(tx, tenantId);
        await membershipStore.findForUpdate(tx, tenantId, accountId);
        await clientStore.findForUpdate(tx, tenantId, clientId);
        if (!(await consentStore.remove(tx, key))) return undefined;
        const ended = await this.#endAccess(tx, key);
        await this.#audit(tx, key, {
          requestId,
          action: 'oauth.revoke',
          detail: 'Access of the client withdrawn by the person who had allowed it',
          fields: {},
        });
        return ended;
      },
      { repeatable: true },
    );
    await awaitEnd?.();
  }

  /** Locks the membership, the session and the client: the end of any waits, and then ends what was allowed. */
  async #decide(
    tx: Queries,
    { session, clientId, asked }: AccessRequest,
    wanted: TenantId,
  ): Promise<{ client: ConsentClient; tenantId: TenantId; decision: ScopeDecision } | undefined> {
    const seen = await findConsentClient(tx, clientId);
    if (!seen || !isPossible(wanted, seen, session)) return undefined;
    const tenant = await lockReachedTenant(tx, session, wanted);
    if (!tenant || !(await this.#sessions.lock(tx, session))) return undefined;
    const { tenantId } = seen;
    const client = tenantId === null ? seen : await clientStore.findForUpdate(tx, tenantId, clientId);
    if (!client) return undefined;
    const decision = decisionOf(client, tenant.role, asked);
    if (isEmpty(decision) || this.#mustProve(session, clientId, decision)) return undefined;
    return { client, tenantId: tenant.tenantId, decision };
  }

  /** The command line keeps its access for months. */
  #mustProve(session: AccessRequest['session'], clientId: string, decision: ScopeDecision): boolean {
    const isLasting = clientId === COMMAND_LINE_CLIENT;
    return (isLasting || isSensitive(decision)) && !isRecent(session, this.#clock.now());
  }

  async #record(
    tx: Queries,
    access: Omit<AllowedAccess, 'grantId'>,
    requestId: string,
  ): Promise<AllowedAccess> {
    const grantId = createGrantId(access.tenantId);
    const scopes = givenBy(access.decision);
    await this.#audit(tx, access, {
      requestId,
      action: 'oauth.grant',
      detail: `Access granted to the client: ${scopes.join(' ')}`,
      fields: { grant_id: grantId, scopes },
    });
    return { ...access, grantId };
  }

  /** Records what a person did about a client. */
  #audit(
    tx: Queries,
    { tenantId, accountId, clientId }: ConsentKey,
    act: Pick<AuditRecord, 'requestId' | 'action' | 'detail' | 'fields'>,
  ): Promise<void> {
    const actor = { type: 'account', id: accountId } as const;
    const resource = { type: 'oauth_client', id: clientId } as const;
    const entry = { tenantId, actor, resource, outcome: 'success', ...act } as const;
    return auditStore.append(tx, entry, this.#clock.now());
  }
}

/** Whether a client can act in a tenant for the person of a session. */
function isPossible(
  tenantId: TenantId,
  client: ConsentClient,
  session: Pick<AccountSession, 'tenantId'>,
): boolean {
  return [client.tenantId, session.tenantId].every((only) => only === null || only === tenantId);
}

/**
 * Returns the scopes that a person has allowed a client since its last change. By its version, because the clocks of nodes
 * differ, and by time for a consent without one.
 */
function allowedAsItIs({ latest, scopes, grantedAtMs }: Consent, client: ConsentClient): readonly string[] {
  if (latest) return latest.clientVersion === client.version ? latest.scopes : [];
  return grantedAtMs < client.updatedAtMs ? [] : scopes;
}

function union(some: readonly string[] = [], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])];
}

function decisionOf(client: ConsentClient, role: Role, asked: readonly string[]): ScopeDecision {
  return decideScopes(asked, { client: client.scopes, role: ROLE_SCOPES[role] });
}
