import { setTimeout } from 'node:timers/promises';
import {
  type Database,
  personRequester,
  type Queries,
  type ReadQueries,
  type Requester,
} from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import { cookieName, toCookie, toRemovedCookie } from '../../../platform/web/cookies.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import { SERVICE } from '../../audit/index.ts';
import { type Account, type AccountId, toEmailKey } from '../account.ts';
import { appendAccountEntry } from '../account-audit.ts';
import * as accountStore from '../account-store.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import { findLine } from '../passwords/hashing-line.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import type { AccountSession, AuthenticationMethod } from '../sessions/account-session.ts';
import type { AccountSessions, NewSession } from '../sessions/account-sessions.ts';
import type { Attempt, LoginThrottle, ThrottleKey } from '../throttling/login-throttle.ts';
import { createDeviceCookie, type DeviceOwner, findKnownDevice, renewDeviceCookie } from './device-cookie.ts';

/** What became of an attempt to sign in. */
export type LoginOutcome =
  | SignedIn
  /** The password was right. The cookie lets this browser enter a code for ten minutes. */
  | { readonly kind: 'second_factor'; readonly cookies: readonly string[] }
  /** The password or code is wrong, or the account does not exist or is disabled: they look the same. */
  | { readonly kind: 'wrong' }
  | LoginDelay
  /** The password must be entered again. */
  | { readonly kind: 'expired' };

export interface SignedIn {
  readonly kind: 'signed_in';
  readonly session: AccountSession;
  readonly cookies: readonly string[];
}

interface LoginDelay {
  readonly kind: 'delayed';
  readonly retryAfterSeconds: number;
}

/** Authenticator apps and recovery codes. */
interface SecondFactorCheck {
  /** Returns whether a sign-in needs a second factor after the password. */
  isRequired(queries: ReadQueries, accountId: AccountId): Promise<boolean>;
  /** Uses a code up. Returns undefined if it is wrong. */
  verify(tx: Queries, accountId: AccountId, code: string): Promise<AuthenticationMethod | undefined>;
}

const LOGIN_COOKIE = 'tps-login';
const LOGIN_MS = 10 * 60_000;
/** The response time of a sign-in that found the line of unknown browsers full. The line of a tenant is faster. */
const RESERVE_MS = 1000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly hasher: PasswordHasher;
  readonly throttle: LoginThrottle;
  readonly sessions: AccountSessions;
  readonly secondFactors: SecondFactorCheck;
  /** Authenticates the cookies of known browsers. */
  readonly deviceKey: Buffer;
}

/** Signs people in and out, and asks them again who they are. */
export class LoginService {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Signs a person in with a password, or begins a sign-in that needs a second factor. */
  async withPassword(
    request: WebRequest,
    { email, password }: { email: string; password: string },
  ): Promise<LoginOutcome> {
    const { database, throttle } = this.#parts;
    const account = await accountStore.findByEmail(database.read, email);
    const attempt = await throttle.admit(this.#keysOf(request, email, account));
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    const isRight = await this.#verify(request, account, password);
    if (!isRight || !account || account.disabledAtMs !== null) {
      return this.#fail(request, { email, account, attempt });
    }
    const rehashed = await this.#rehash(account, password);
    const outcome = await database.transaction((tx) =>
      this.#afterPassword(tx, request, { account, attempt, rehashed }),
    );
    if (outcome.kind === 'second_factor') await challengeStore.removeExcess(database, requesterOf(account));
    return outcome;
  }

  /** Completes a sign-in with the second factor. */
  async withCode(request: WebRequest, code: string): Promise<LoginOutcome> {
    const { database, throttle, clock } = this.#parts;
    const secret = request.cookies.get(cookieName(request.site, LOGIN_COOKIE)) ?? '';
    const challenge = { secret, kind: 'login', nowMs: clock.now() } as const;
    const { accountId } = (await challengeStore.find(database.read, challenge)) ?? {};
    const account = accountId && (await accountStore.find(database.read, accountId));
    if (!account) return { kind: 'expired' };
    const attempt = await throttle.admit(codeKeys(request, account));
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    const outcome = await database.transaction(async (tx): Promise<LoginOutcome> => {
      // Locked first, as every change of an account does, so that none waits for another in a circle.
      await accountStore.findForUpdate(tx, account.accountId);
      const method = await this.#parts.secondFactors.verify(tx, account.accountId, code);
      if (!method) return { kind: 'wrong' };
      // Gone if another request has used it, or if the password has changed since it was entered.
      if (!(await challengeStore.take(tx, challenge))) return { kind: 'expired' };
      await throttle.succeed(tx, attempt);
      const methods = ['password', method] as const;
      const signedIn = await this.signIn(tx, request, { accountId: account.accountId, methods });
      if (!signedIn) return { kind: 'expired' };
      return { ...signedIn, cookies: [...signedIn.cookies, toRemovedCookie(LOGIN_COOKIE, request.site)] };
    });
    return outcome.kind === 'wrong'
      ? this.#fail(request, { email: account.email, account, attempt })
      : outcome;
  }

  /**
   * Starts the session of a person who has proved who they are by these methods. Returns undefined if the account does not
   * exist any more or is disabled. Call it last: it locks the ends of the audit chains.
   */
  async signIn(tx: Queries, request: WebRequest, person: NewSession): Promise<SignedIn | undefined> {
    const started = await this.#parts.sessions.start(tx, request, person);
    if (!started) return undefined;
    const { accountId, methods, tenantId } = person;
    await this.#append(tx, request, {
      accountId,
      ...(tenantId && { tenantIds: [tenantId] }),
      action: 'account.login',
      detail: `Signed in by ${methods.join(' and ')} from ${request.address}`,
      fields: {
        ...{ methods, address: request.address, session_id: started.session.sessionId },
        ...(started.endedSessions > 0 && { sessions_ended: started.endedSessions }),
      },
    });
    const signedIn = { kind: 'signed_in', session: started.session } as const;
    // The provider of a tenant must not help to guess the password.
    if (tenantId) return { ...signedIn, cookies: [started.cookie] };
    const device = createDeviceCookie(this.#parts.deviceKey, started.account, request);
    return { ...signedIn, cookies: [started.cookie, device] };
  }

  /** Authenticates a person who is signed in again, with the password and, if there is one, the second factor. */
  async confirm(
    request: WebRequest,
    session: AccountSession,
    { password, code }: { password: string; code: string },
  ): Promise<LoginOutcome> {
    const { database, hasher, throttle, secondFactors } = this.#parts;
    const account = await accountStore.find(database.read, session.accountId);
    if (!account) return { kind: 'expired' };
    const { accountId, email, passwordHash } = account;
    const needsCode = await secondFactors.isRequired(database.read, accountId);
    const keys = this.#keysOf(request, email, account);
    const attempt = await throttle.admit(needsCode ? [...keys, codeKeys(request, account)[0]] : keys);
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    // Without a password, the code alone proves it.
    const line = await findLine(database.read, 'known', accountId);
    const isRight = passwordHash === null ? needsCode : await hasher.verify(passwordHash, password, line);
    if (!isRight) return this.#fail(request, { email, account, attempt });
    const outcome = await database.transaction(async (tx): Promise<LoginOutcome> => {
      const current = await accountStore.findForUpdate(tx, accountId);
      if (current?.passwordHash !== passwordHash) return { kind: 'expired' };
      const method = needsCode ? await secondFactors.verify(tx, accountId, code) : undefined;
      if (needsCode && !method) return { kind: 'wrong' };
      await throttle.succeed(tx, attempt);
      const proofs: AuthenticationMethod[] = [...(passwordHash === null ? [] : ['password' as const])];
      const methods = method ? [...proofs, method] : proofs;
      return (await this.reauthenticate(tx, request, { session, methods })) ?? { kind: 'expired' };
    });
    return outcome.kind === 'wrong' ? this.#fail(request, { email, account, attempt }) : outcome;
  }

  /** Renews the session of a person who has proved again who they are. Returns undefined if it has ended meanwhile. */
  async reauthenticate(
    tx: Queries,
    request: WebRequest,
    { session, methods }: { session: AccountSession; methods: readonly AuthenticationMethod[] },
  ): Promise<SignedIn | undefined> {
    const renewed = await this.#parts.sessions.renew(tx, request, { session, methods });
    if (!renewed) return undefined;
    await this.#append(tx, request, {
      accountId: session.accountId,
      action: 'account.reauthenticated',
      detail: `Authenticated again by ${methods.join(' and ')} from ${request.address}`,
      fields: { methods, address: request.address, session_id: renewed.session.sessionId },
    });
    return { kind: 'signed_in', session: renewed.session, cookies: [renewed.cookie] };
  }

  /** Returns the cookie with which a browser that was known stays so after its person has set a new password in it. */
  keepKnown(request: WebRequest, owner: { before: DeviceOwner; after: DeviceOwner }): string | undefined {
    return renewDeviceCookie(this.#parts.deviceKey, owner, request);
  }

  /** Ends the session of a browser. */
  async logout(request: WebRequest, session: AccountSession): Promise<void> {
    await this.#parts.database.transaction(async (tx) => {
      if (!(await this.#parts.sessions.end(tx, session))) return;
      const { accountId, sessionId } = session;
      const entry = { accountId, action: 'account.session_ended', detail: 'Signed out' };
      await this.#append(tx, request, { ...entry, fields: { session_id: sessionId } });
    });
  }

  async #afterPassword(
    tx: Queries,
    request: WebRequest,
    { account, attempt, rehashed }: { account: Account; attempt: Attempt; rehashed: string | undefined },
  ): Promise<LoginOutcome> {
    const { throttle, secondFactors, clock } = this.#parts;
    const { accountId, passwordHash } = account;
    const current = await accountStore.findForUpdate(tx, accountId);
    // The password was replaced while the old one was verified.
    if (current?.passwordHash !== passwordHash || current.disabledAtMs !== null) return { kind: 'wrong' };
    await throttle.succeed(tx, attempt);
    if (rehashed !== undefined) await accountStore.replaceHash(tx, accountId, rehashed);
    if (!(await secondFactors.isRequired(tx, accountId))) {
      return (await this.signIn(tx, request, { accountId, methods: ['password'] })) ?? { kind: 'wrong' };
    }
    const secret = challengeStore.mintSecret();
    const times = { nowMs: clock.now(), lifetimeMs: LOGIN_MS };
    const requester = requesterOf(account);
    await challengeStore.create(tx, { secret, kind: 'login', accountId, payload: {}, requester, ...times });
    const cookie = toCookie(LOGIN_COOKIE, secret.reveal(), { site: request.site });
    return { kind: 'second_factor', cookies: [cookie] };
  }

  /** A known browser has its own budget, which others cannot use up. */
  #keysOf(request: WebRequest, email: string, account: Account | undefined): ThrottleKey[] {
    const device = account && findKnownDevice(this.#parts.deviceKey, account, request);
    if (device !== undefined) return [{ budget: 'device', value: device }];
    return [
      { budget: 'account', value: toEmailKey(email) },
      { budget: 'address', value: request.peer },
    ];
  }

  /**
   * Verifies a password. A known browser waits in the line of its tenant, all others in the line of unknown browsers, whether
   * or not the account exists. When that line is full, the password of an existing account waits in a line of its tenant,
   * and one without an account is not hashed. Both then take the same time, so that it does not show whether one exists.
   */
  async #verify(request: WebRequest, account: Account | undefined, password: string): Promise<boolean> {
    const { hasher, database, deviceKey } = this.#parts;
    const { accountId, passwordHash } = account ?? {};
    if (account && findKnownDevice(deviceKey, account, request) !== undefined) {
      return hasher.verify(passwordHash, password, await findLine(database.read, 'known', account.accountId));
    }
    try {
      return await hasher.verify(passwordHash, password, 'unknown');
    } catch (error) {
      if (!isTooMany(error)) throw error;
    }
    const verifyInReserve = async (): Promise<boolean> => {
      if (accountId === undefined || passwordHash == null) return false;
      return hasher.verify(passwordHash, password, await findLine(database.read, 'reserve', accountId));
    };
    const [outcome] = await Promise.allSettled([verifyInReserve(), setTimeout(RESERVE_MS)]);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Returns a new hash if the present one is outdated. It can wait for another sign-in when too many people sign in. */
  async #rehash({ accountId, passwordHash }: Account, password: string): Promise<string | undefined> {
    const { hasher, database } = this.#parts;
    if (passwordHash === null || !hasher.isOutdated(passwordHash)) return undefined;
    try {
      return await hasher.hash(password, await findLine(database.read, 'known', accountId));
    } catch (error) {
      if (isTooMany(error)) return undefined;
      throw error;
    }
  }

  /** Records a failed attempt, a few per hour and account. It takes the same transaction for an unknown account. */
  async #fail(
    request: WebRequest,
    { email, account, attempt }: { email: string; account: Account | undefined; attempt: Attempt },
  ): Promise<{ kind: 'wrong' }> {
    const { database, throttle } = this.#parts;
    await database.transaction(async (tx) => {
      const key = { budget: 'audit', value: toEmailKey(email) } as const;
      const { allowed } = await throttle.admitWithin(tx, [key]);
      if (!account || (!allowed && !attempt.beginsDelay)) return;
      await this.#append(tx, request, {
        accountId: account.accountId,
        actor: SERVICE,
        outcome: 'denied',
        action: attempt.beginsDelay ? 'account.locked' : 'account.login_failed',
        detail: attempt.beginsDelay
          ? `Sign-in failed from ${request.address}; further attempts are delayed`
          : `Sign-in failed from ${request.address}`,
        fields: { address: request.address },
      });
    });
    return { kind: 'wrong' };
  }

  #append(
    tx: Queries,
    { requestId }: WebRequest,
    entry: Omit<Parameters<typeof appendAccountEntry>[1], 'requestId'>,
  ): Promise<void> {
    return appendAccountEntry(tx, { ...entry, requestId }, this.#parts.clock.now());
  }
}

/** Whose password was right. */
function requesterOf({ accountId }: Account): Requester {
  return personRequester('login', accountId);
}

/** The queue of passwords is full. */
function isTooMany(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}

function codeKeys({ peer }: WebRequest, { accountId }: Account): [ThrottleKey, ThrottleKey] {
  return [
    { budget: 'code', value: accountId },
    { budget: 'address', value: peer },
  ];
}
