import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import { type Account, type AccountId, toEmailKey } from './account.ts';

/**
 * Stores an account unless another one has the address. Returns whether it was stored. A conflict does not end the
 * transaction.
 */
export async function create(tx: Queries, account: Account): Promise<boolean> {
  const row: Row<'accounts'> = {
    account_id: account.accountId,
    email: account.email,
    email_key: toEmailKey(account.email),
    email_verified_at: account.emailVerifiedAtMs,
    name: account.name,
    password_hash: account.passwordHash,
    created_at: account.createdAtMs,
    password_changed_at: account.passwordChangedAtMs,
    disabled_at: account.disabledAtMs,
  };
  const created = await tx.insertIgnoringConflicts('accounts', ['email_key'], [row]);
  return created.length > 0;
}

export async function find(queries: ReadQueries, accountId: string): Promise<Account | undefined> {
  const row = await byId(queries, accountId).executeTakeFirst();
  return row && toAccount(row);
}

/** Finds an account and locks it until the transaction ends. */
export async function findForUpdate(tx: Queries, accountId: string): Promise<Account | undefined> {
  const row = await forUpdate(tx, byId(tx, accountId)).executeTakeFirst();
  return row && toAccount(row);
}

/** Finds the account with this address, in any spelling of it. */
export async function findByEmail({ db }: ReadQueries, email: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .selectAll()
    .where('email_key', '=', toEmailKey(email))
    .executeTakeFirst();
  return row && toAccount(row);
}

export async function setEmailVerified(tx: Queries, accountId: AccountId, nowMs: number): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ email_verified_at: nowMs })
    .where('account_id', '=', accountId)
    .execute();
}

export async function setName(tx: Queries, accountId: AccountId, name: string): Promise<void> {
  await tx.db.updateTable('accounts').set({ name }).where('account_id', '=', accountId).execute();
}

/** Sets a new password. */
export async function setPassword(
  tx: Queries,
  accountId: AccountId,
  { passwordHash, changedAtMs }: { passwordHash: string; changedAtMs: number },
): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ password_hash: passwordHash, password_changed_at: changedAtMs })
    .where('account_id', '=', accountId)
    .execute();
}

export async function removePassword(tx: Queries, accountId: AccountId): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ password_hash: null, password_changed_at: null })
    .where('account_id', '=', accountId)
    .execute();
}

/** Replaces the hash of an unchanged password by one with other parameters. */
export async function replaceHash(tx: Queries, accountId: AccountId, passwordHash: string): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('account_id', '=', accountId)
    .execute();
}

/** Disables an account, or enables it with null. */
export async function setDisabled(
  tx: Queries,
  accountId: AccountId,
  disabledAtMs: number | null,
): Promise<void> {
  await tx.db
    .updateTable('accounts')
    .set({ disabled_at: disabledAtMs })
    .where('account_id', '=', accountId)
    .execute();
}

export async function remove(tx: Queries, accountId: AccountId): Promise<void> {
  await tx.db.deleteFrom('accounts').where('account_id', '=', accountId).execute();
}

function byId({ db }: ReadQueries, accountId: string) {
  return db.selectFrom('accounts').selectAll().where('account_id', '=', accountId);
}

function toAccount(row: Row<'accounts'>): Account {
  return {
    accountId: row.account_id as AccountId,
    email: row.email,
    emailVerifiedAtMs: row.email_verified_at,
    name: row.name,
    passwordHash: row.password_hash,
    createdAtMs: row.created_at,
    passwordChangedAtMs: row.password_changed_at,
    disabledAtMs: row.disabled_at,
  };
}
