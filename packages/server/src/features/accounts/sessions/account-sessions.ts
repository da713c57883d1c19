import { hash, randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { cookieName, toCookie, toRemovedCookie } from '../../../platform/web/cookies.ts';
import type { WebRequest, WebSite } from '../../../platform/web/web-route.ts';
import type { Account, AccountId } from '../account.ts';
import * as accountStore from '../account-store.ts';
import {
  type AccountSession,
  type AuthenticationMethod,
  isLive,
  SEEN_EVERY_MS,
  SESSION_LIFETIME_MS,
} from './account-session.ts';
import * as sessionStore from './session-store.ts';

const COOKIE = 'tps-session';
/** 256 bits in base64url. */
const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

/** A person who signs in, and the proofs. */
export interface NewSession {
  readonly accountId: AccountId;
  readonly methods: readonly AuthenticationMethod[];
  /** The tenant whose provider has confirmed who the person is. */
  readonly tenantId?: TenantId;
  /** When the person proved who they are (default: now). */
  readonly authenticatedAtMs?: number;
}

/** A new session, its account, and the `Set-Cookie` header with its secret. */
export interface StartedSession {
  readonly account: Account;
  readonly session: AccountSession;
  /** How many sessions that were seen longest ago ended, because there were as many as can be. */
  readonly endedSessions: number;
  readonly cookie: string;
}

/**
 * The browsers in which people are signed in. Each request reads its session from the store, so an end holds at once on
 * every node. The tokens that the console has got for a session end with it. The secret of a session is made here and never taken from a request.
 */
export class AccountSessions {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor({ database, clock }: { database: Database; clock: Clock }) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Finds the session of a browser. Unknown, ended and expired sessions look the same, as do those of disabled accounts. */
  async find(request: Pick<WebRequest, 'cookies' | 'site'>): Promise<AccountSession | undefined> {
    const sessionHash = hashOfCookie(request);
    if (sessionHash === undefined) return undefined;
    const session = await sessionStore.find(this.#database.read, sessionHash);
    const nowMs = this.#clock.now();
    if (!session || !isLive(session, nowMs)) return undefined;
    if (nowMs - session.seenAtMs < SEEN_EVERY_MS) return session;
    await this.#database.transaction((tx) => sessionStore.markSeen(tx, session, nowMs));
    return { ...session, seenAtMs: nowMs };
  }

  /**
   * Signs a person in. The session that the browser had before ends. Returns undefined if the account does not exist any
   * more or is disabled; the account stays locked until the transaction ends.
   */
  async start(
    tx: Queries,
    request: WebRequest,
    { accountId, methods, tenantId, authenticatedAtMs }: NewSession,
  ): Promise<(StartedSession & { readonly account: Account }) | undefined> {
    const account = await accountStore.findForUpdate(tx, accountId);
    if (!account || account.disabledAtMs !== null) return undefined;
    const before = hashOfCookie(request);
    const nowMs = this.#clock.now();
    if (before !== undefined) await sessionStore.remove(tx, before, nowMs);
    const started = await this.#create(tx, request, {
      accountId,
      methods,
      tenantId: tenantId ?? null,
      authenticatedAtMs: authenticatedAtMs ?? nowMs,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + SESSION_LIFETIME_MS,
    });
    return { account, ...started };
  }

  /**
   * Replaces a session after the person proved again who they are. It gets a new secret, and its absolute end stays.
   * Returns undefined if the session has ended meanwhile.
   */
  async renew(
    tx: Queries,
    request: WebRequest,
    { session, methods }: { session: AccountSession; methods: readonly AuthenticationMethod[] },
  ): Promise<StartedSession | undefined> {
    const account = await accountStore.findForUpdate(tx, session.accountId);
    if (!account || account.disabledAtMs !== null) return undefined;
    const authenticatedAtMs = this.#clock.now();
    if (!(await sessionStore.remove(tx, session.sessionHash, authenticatedAtMs))) return undefined;
    const started = await this.#create(tx, request, { ...session, methods, authenticatedAtMs });
    return { account, ...started };
  }

  /**
   * Locks a session until the transaction ends, so that what is added to it ends with it. Returns whether it still exists. The
   * transaction has locked the membership before, if it does.
   */
  lock(tx: Queries, { sessionHash }: Pick<AccountSession, 'sessionHash'>): Promise<boolean> {
    return sessionStore.lock(tx, sessionHash);
  }

  /** Returns whether a session still exists. A transaction that has locked the account sees what its changes have ended. */
  async exists(tx: Queries, { sessionHash }: Pick<AccountSession, 'sessionHash'>): Promise<boolean> {
    return (await sessionStore.find(tx, sessionHash)) !== undefined;
  }

  /** Ends the session of a browser. Returns whether it existed. */
  end(tx: Queries, { sessionHash }: Pick<AccountSession, 'sessionHash'>): Promise<boolean> {
    return sessionStore.remove(tx, sessionHash, this.#clock.now());
  }

  /** Ends a session that the person chose from the list. Returns whether it existed. */
  endById(tx: Queries, accountId: AccountId, sessionId: string): Promise<boolean> {
    return sessionStore.removeById(tx, { accountId, sessionId }, this.#clock.now());
  }

  /** Ends all sessions of an account, or all but one. Returns how many. */
  endAll(
    tx: Queries,
    accountId: AccountId,
    { except }: { except?: AccountSession | undefined } = {},
  ): Promise<number> {
    return sessionStore.removeOf(tx, accountId, { except: except?.sessionHash, nowMs: this.#clock.now() });
  }

  /** Lists the browsers in which a person is signed in, newest first. */
  async list(accountId: AccountId): Promise<AccountSession[]> {
    const nowMs = this.#clock.now();
    const sessions = await sessionStore.list(this.#database.read, accountId);
    return sessions.filter((session) => isLive(session, nowMs));
  }

  async #create(
    tx: Queries,
    request: WebRequest,
    kept: Omit<AccountSession, 'sessionId' | 'sessionHash' | 'seenAtMs' | 'userAgent' | 'address'>,
  ): Promise<Omit<StartedSession, 'account'>> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const nowMs = this.#clock.now();
    const session: AccountSession = {
      accountId: kept.accountId,
      methods: kept.methods,
      tenantId: kept.tenantId,
      createdAtMs: kept.createdAtMs,
      expiresAtMs: kept.expiresAtMs,
      sessionId: createId(ID_PREFIXES.session, nowMs),
      sessionHash: hashOf(secret),
      seenAtMs: nowMs,
      authenticatedAtMs: kept.authenticatedAtMs,
      userAgent: request.userAgent,
      address: request.address,
    };
    const endedSessions = await sessionStore.makeRoom(tx, session, nowMs);
    await sessionStore.create(tx, session);
    return { session, endedSessions, cookie: toCookie(COOKIE, secret, { site: request.site }) };
  }
}

/** Builds the header that removes the cookie of a session. */
export function removedSessionCookie(site: WebSite): string {
  return toRemovedCookie(COOKIE, site);
}

function hashOfCookie({ cookies, site }: Pick<WebRequest, 'cookies' | 'site'>): string | undefined {
  const secret = cookies.get(cookieName(site, COOKIE));
  return secret !== undefined && SECRET.test(secret) ? hashOf(secret) : undefined;
}

/** 256 random bits cannot be guessed, so the hash needs no salt. */
function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex');
}
