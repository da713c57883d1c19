import { ROLE_SCOPES, type Role, type Scope } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { credentialHint, hashCredential, mintCredential } from '../../platform/crypto/credentials.ts';
import type { Secret } from '../../platform/crypto/secret.ts';
import { createId } from '../../platform/identifiers.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { WebRequest } from '../../platform/web/web-route.ts';
import { type Account, type AccountSession, type AccountSessions, accountStore } from '../accounts/index.ts';
import { auditStore } from '../audit/index.ts';
import { lockReachedTenant, reachesTenant, type TenantOfMember, tenantsOf } from '../members/index.ts';
import { tenantStore } from '../tenants/index.ts';
import { issuedTokenStore, tokenStore } from '../tokens/index.ts';

/** A token is short-lived, because a browser can get the next one as long as its session lasts. */
const TOKEN_MS = 15 * 60_000;

/** What a browser needs to show a tenant to a person. */
export interface ConsoleSession {
  readonly credential: Secret;
  readonly expiresAtMs: number;
  readonly session: AccountSession;
  readonly account: Account;
  readonly tenant: ConsoleTenant;
  readonly scopes: readonly Scope[];
  /** All tenants that the session reaches. */
  readonly tenants: readonly ConsoleTenant[];
}

interface ConsoleTenant {
  readonly tenantId: TenantId;
  readonly tenantName: string;
  readonly role: Role;
}

interface Access {
  readonly session: AccountSession;
  readonly tenantId: TenantId;
  readonly requestId: string;
}

/** Exchanges the session of a browser for tokens of the API. */
export class ConsoleSessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #sessions: AccountSessions;

  constructor(parts: { database: Database; clock: Clock; sessions: AccountSessions }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#sessions = parts.sessions;
  }

  /**
   * Issues a token for one tenant (default: the one that the person joined first), with the scopes of the person's role. It
   * ends with the session, the membership, the role, the account and the tenant. Returns undefined if no one is signed in.
   * @throws ServiceError `not_found` for a tenant that the session does not reach; `insufficient_scope` if it reaches none, or
   *   the tenant requires single sign-on
   */
  async open(
    request: Pick<WebRequest, 'cookies' | 'site' | 'requestId'>,
    wanted: string | undefined,
  ): Promise<ConsoleSession | undefined> {
    const session = await this.#sessions.find(request);
    const account = session && (await accountStore.find(this.#database.read, session.accountId));
    if (!session || !account) return undefined;
    const memberships = await tenantsOf(this.#database.read, session.accountId);
    const tenants = memberships.filter((tenant) => reachesTenant(session, tenant));
    const tenant = wanted === undefined ? tenants[0] : tenants.find(({ tenantId }) => tenantId === wanted);
    if (!tenant) throw toRefusal(session, memberships, wanted);
    const { requestId } = request;
    const issued = await this.#database.transaction((tx) =>
      this.#issue(tx, { session, tenantId: tenant.tenantId, requestId }),
    );
    if (!issued) return undefined;
    const { role, scopes, credential, expiresAtMs } = issued;
    return { credential, expiresAtMs, session, account, scopes, tenants, tenant: { ...tenant, role } };
  }

  /** The locks make what ends the access wait, and then end this token too. Returns undefined if it has just ended. */
  async #issue(tx: Queries, access: Access) {
    const { session, tenantId } = access;
    const member = await lockReachedTenant(tx, session, tenantId);
    if (!(member && (await this.#sessions.lock(tx, session)))) return undefined;
    const tenant = await tenantStore.find(tx, tenantId);
    if (!tenant) return undefined;
    const nowMs = this.#clock.now();
    const scopes = ROLE_SCOPES[member.role];
    const expiresAtMs = Math.min(nowMs + TOKEN_MS, session.expiresAtMs);
    const credential = mintCredential('at');
    await recordOpening(tx, { ...access, scopes, nowMs });
    const { sessionId: grantId, accountId } = session;
    await issuedTokenStore.makeRoom(
      tx,
      { tenantId, clientId: issuedTokenStore.CONSOLE_CLIENT, grantId, accountId },
      nowMs,
    );
    const token = toToken(access, { credential, scopes, nowMs, expiresAtMs });
    await tokenStore.create(
      tx,
      { ...token, environment: tenant.environment },
      hashCredential(credential.reveal()),
    );
    return { role: member.role, scopes, credential, expiresAtMs };
  }
}

/** Returns why a session reaches neither a tenant nor, if none is wanted, any. */
function toRefusal(
  session: AccountSession,
  memberships: readonly TenantOfMember[],
  wanted: string | undefined,
): ServiceError {
  const isBlocked = memberships.some(
    ({ tenantId, requiresSignOn }) =>
      session.tenantId === null && requiresSignOn && (wanted ?? tenantId) === tenantId,
  );
  if (isBlocked) return new ServiceError('insufficient_scope', 'Your organization requires single sign-on.');
  return memberships.length === 0
    ? new ServiceError(
        'insufficient_scope',
        'Your account is not a member of any tenant. Ask an admin to invite you.',
      )
    : notFound('tenant');
}

function toToken(
  { session, tenantId }: Access,
  issued: { credential: Secret; scopes: readonly Scope[]; nowMs: number; expiresAtMs: number },
) {
  const { accountId, sessionId, authenticatedAtMs } = session;
  return {
    tokenId: createId(ID_PREFIXES.token, issued.nowMs),
    tenantId,
    name: 'Console',
    scopes: issued.scopes,
    hint: credentialHint(issued.credential.reveal()),
    createdAtMs: issued.nowMs,
    createdBy: accountId,
    expiresAtMs: issued.expiresAtMs,
    lastUsedAtMs: null,
    revokedAtMs: null,
    deviceId: null,
    maxUses: null,
    uses: null,
    issued: {
      clientId: issuedTokenStore.CONSOLE_CLIENT,
      grantId: sessionId,
      accountId,
      keyThumbprint: null,
      authenticatedAtMs,
    },
  };
}

/** One entry for a session, and one after each change of the role: not one for each token. */
async function recordOpening(
  tx: Queries,
  { session, tenantId, requestId, scopes, nowMs }: Access & { scopes: readonly Scope[]; nowMs: number },
): Promise<void> {
  const { accountId, sessionId, address } = session;
  if (await issuedTokenStore.isKnownSession(tx, tenantId, { sessionId, scopes })) return;
  await auditStore.append(
    tx,
    {
      tenantId,
      actor: { type: 'account', id: accountId },
      action: 'console.open',
      resource: { type: 'account', id: accountId },
      outcome: 'success',
      requestId,
      detail: 'Console opened',
      fields: { session_id: sessionId, scopes, address },
    },
    nowMs,
  );
}
