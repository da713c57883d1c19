import { countOf, ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createId } from '../../platform/identifiers.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type Account, type AccountId, isEmail, isPersonName, MAX_NAME_LENGTH } from './account.ts';
import { appendAccountEntry } from './account-audit.ts';
import * as accountStore from './account-store.ts';
import * as challengeStore from './challenges/challenge-store.ts';
import { findLine } from './passwords/hashing-line.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import { findPasswordProblem, type PasswordRules } from './passwords/password-rules.ts';
import type { AccountSession } from './sessions/account-session.ts';
import type { AccountSessions } from './sessions/account-sessions.ts';

/** What a person enters. Without a password, they sign in through the provider of a tenant. */
export interface WantedAccount {
  readonly email: string;
  readonly name: string;
  readonly password: string | null;
}

/** A checked account with a hashed password: everything that must happen outside a transaction is done. */
export interface PreparedAccount {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string | null;
}

interface Creation {
  readonly tenantId: TenantId;
  /** Whether the person has proved that the address is theirs. */
  readonly isEmailVerified: boolean;
  readonly requestId: string | null;
}

/** Something that a person must change in a form. */
export interface FieldRefusal {
  readonly field: 'email' | 'name' | 'password';
  /** In words for the person. */
  readonly problem: string;
}

export const EMAIL_REFUSAL: FieldRefusal = {
  field: 'email',
  problem: 'Enter an e-mail address such as ann@example.com.',
};

export const NAME_REFUSAL: FieldRefusal = {
  field: 'name',
  problem: `Enter a name of at most ${MAX_NAME_LENGTH} characters.`,
};

/** Creates and changes the accounts of people. */
export class AccountService {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #hasher: PasswordHasher;
  readonly #rules: PasswordRules;
  readonly #sessions: AccountSessions;

  constructor(parts: {
    database: Database;
    clock: Clock;
    hasher: PasswordHasher;
    rules: PasswordRules;
    sessions: AccountSessions;
  }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#hasher = parts.hasher;
    this.#rules = parts.rules;
    this.#sessions = parts.sessions;
  }

  find(accountId: AccountId): Promise<Account | undefined> {
    return accountStore.find(this.#database.read, accountId);
  }

  /** Checks what a person with a link of the tenant entered and hashes the password, before the transaction. */
  async prepare(
    { email, name, password }: WantedAccount,
    { tenantId }: { tenantId: TenantId },
  ): Promise<PreparedAccount | FieldRefusal> {
    if (!isEmail(email)) return EMAIL_REFUSAL;
    if (!isPersonName(name)) return NAME_REFUSAL;
    const account = { email: email.trim(), name: name.trim() };
    if (password === null) return { ...account, passwordHash: null };
    const problem = await findPasswordProblem(this.#rules, { password, email });
    if (problem !== undefined) return { field: 'password', problem };
    return { ...account, passwordHash: await this.#hasher.hash(password, `known ${tenantId}`) };
  }

  /**
   * Creates an account in the transaction that makes the person a member of a tenant: by an invitation, or by single
   * sign-on. Returns undefined if another account has the address.
   */
  async create(
    tx: Queries,
    prepared: PreparedAccount,
    { tenantId, isEmailVerified, requestId }: Creation,
  ): Promise<Account | undefined> {
    const nowMs = this.#clock.now();
    const account: Account = {
      ...prepared,
      accountId: createId(ID_PREFIXES.account, nowMs),
      emailVerifiedAtMs: isEmailVerified ? nowMs : null,
      createdAtMs: nowMs,
      passwordChangedAtMs: prepared.passwordHash === null ? null : nowMs,
      disabledAtMs: null,
    };
    if (!(await accountStore.create(tx, account))) return undefined;
    const change = { accountId: account.accountId, action: 'account.create', detail: 'Account created' };
    const fields = { email_verified: isEmailVerified };
    await appendAccountEntry(tx, { ...change, fields, requestId, tenantIds: [tenantId] }, nowMs);
    return account;
  }

  /** Checks a new password and hashes it, before the transaction that sets it. */
  async preparePassword(
    { accountId, email }: Pick<Account, 'accountId' | 'email'>,
    password: string,
  ): Promise<{ passwordHash: string } | FieldRefusal> {
    const problem = await findPasswordProblem(this.#rules, { password, email });
    if (problem !== undefined) return { field: 'password', problem };
    const line = await findLine(this.#database.read, 'known', accountId);
    return { passwordHash: await this.#hasher.hash(password, line) };
  }

  /**
   * Sets a password, and ends every session of the account but the one that asked, and every sign-in and reset that has begun.
   * Returns the account as it is now, or undefined if it does not exist any more or is disabled.
   */
  async setPassword(
    tx: Queries,
    accountId: AccountId,
    change: { passwordHash: string; keep?: AccountSession; requestId: string },
  ): Promise<Account | undefined> {
    const account = await accountStore.findForUpdate(tx, accountId);
    if (!account || account.disabledAtMs !== null) return undefined;
    const changedAtMs = this.#clock.now();
    const { passwordHash } = change;
    await accountStore.setPassword(tx, accountId, { passwordHash, changedAtMs });
    const ended = await this.endOthers(tx, accountId, { keep: change.keep });
    await appendAccountEntry(
      tx,
      {
        accountId,
        action: 'account.password_changed',
        detail: `Password changed; ${countOf(ended, 'session')} ended`,
        requestId: change.requestId,
        fields: { sessions_ended: ended },
      },
      changedAtMs,
    );
    return { ...account, passwordHash, passwordChangedAtMs: changedAtMs };
  }

  /**
   * Ends what was begun under the credentials before a change: all sessions but one, unfinished sign-ins, links in mails.
   * Call it when a password, a second factor or the address of an account changes. Locks the account. Returns the number of
   * sessions.
   */
  async endOthers(
    tx: Queries,
    accountId: AccountId,
    { keep }: { keep?: AccountSession | undefined },
  ): Promise<number> {
    await accountStore.findForUpdate(tx, accountId);
    await challengeStore.removeOf(tx, accountId);
    return this.#sessions.endAll(tx, accountId, { except: keep });
  }
}

/** Returns whether a preparation was refused. */
export function isFieldRefusal(prepared: object): prepared is FieldRefusal {
  return 'problem' in prepared;
}
