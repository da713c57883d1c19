import type { Database, Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { AccountId } from '../account.ts';
import { appendAccountEntry } from '../account-audit.ts';
import * as accountStore from '../account-store.ts';
import * as membershipReadModel from '../membership-read-model.ts';
import { removeCredentials } from '../remove-account.ts';
import type { AccountSession } from '../sessions/account-session.ts';
import * as sessionStore from '../sessions/session-store.ts';
import type { AccountTies } from './account-ties.ts';

export type DeletionOutcome =
  | { readonly kind: 'deleted' }
  /** Names of the tenants that would have no admin left. */
  | { readonly kind: 'last_admin'; readonly tenants: readonly string[] }
  /** The account owns the single sign-on of a tenant. */
  | { readonly kind: 'owns_sign_on' }
  /** The session that asked has ended, or another request has deleted the account. */
  | { readonly kind: 'ended' };

/** Deletes the account of a person who asks for it. */
export class AccountDeletionService {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #ties: AccountTies;

  constructor(parts: { database: Database; clock: Clock; ties: AccountTies }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#ties = parts.ties;
  }

  /**
   * Removes an account and everything that lets anyone act in its name, in one transaction. A simultaneous sign-in waits
   * for the account and then finds none. Audit entries stay: they have the id, and not the e-mail address.
   */
  async delete(session: AccountSession, { requestId }: { requestId: string }): Promise<DeletionOutcome> {
    const done = await this.#attempt(session, requestId);
    if (!done) return { kind: 'ended' };
    if (done === 'owns_sign_on') return { kind: done };
    if (typeof done !== 'function') return { kind: 'last_admin', tenants: done };
    await done();
    return { kind: 'deleted' };
  }

  async #attempt(
    session: AccountSession,
    requestId: string,
  ): Promise<'owns_sign_on' | readonly string[] | (() => Promise<void>) | undefined> {
    const { accountId } = session;
    const deletion = this.#database.transaction(
      async (tx) => {
        // Locked first, as every sign-in and every change of an account does.
        const account = await accountStore.findForUpdate(tx, accountId);
        if (!account || !(await sessionStore.find(tx, session.sessionHash))) return undefined;
        const tenants = await this.#ties.lockTenants(tx, accountId);
        return tenants.length > 0 ? tenants : this.#remove(tx, accountId, requestId);
      },
      { repeatable: true },
    );
    return deletion.catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'invalid_state_transition') {
        return 'owns_sign_on' as const;
      }
      throw error;
    });
  }

  /** Returns a function to call after the commit. */
  async #remove(tx: Queries, accountId: AccountId, requestId: string): Promise<() => Promise<void>> {
    const tenantIds = await membershipReadModel.listTenants(tx, accountId);
    const nowMs = this.#clock.now();
    // Sessions before tokens, as everything that ends a session.
    await removeCredentials(tx, accountId, nowMs);
    const afterCommit = await this.#ties.end(tx, accountId);
    await accountStore.remove(tx, accountId);
    const entry = { accountId, tenantIds, action: 'account.deleted', detail: 'Account deleted by its owner' };
    await appendAccountEntry(tx, { ...entry, requestId }, nowMs);
    return afterCommit;
  }
}
