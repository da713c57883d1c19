import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import type { SealedSecret } from '../../../platform/crypto/secret-box.ts';
import type { AccountId } from '../account.ts';

/** The authenticator app of an account. */
export interface TotpRecord {
  readonly accountId: AccountId;
  readonly secret: SealedSecret;
  readonly createdAtMs: number;
  /** Null until the person has entered a first code. Only then does a sign-in ask for codes. */
  readonly confirmedAtMs: number | null;
}

export async function find(queries: ReadQueries, accountId: AccountId): Promise<TotpRecord | undefined> {
  const row = await byId(queries, accountId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds the record and locks it until the transaction ends. */
export async function findForUpdate(tx: Queries, accountId: AccountId): Promise<TotpRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, accountId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Stores a secret that is not confirmed yet, in place of another such one. Returns false if one is confirmed. */
export async function begin(tx: Queries, record: TotpRecord): Promise<boolean> {
  await tx.db
    .deleteFrom('account_totp')
    .where('account_id', '=', record.accountId)
    .where('confirmed_at', 'is', null)
    .execute();
  const row: Row<'account_totp'> = {
    account_id: record.accountId,
    key_id: record.secret.keyId,
    sealed_secret: record.secret.bytes,
    created_at: record.createdAtMs,
    confirmed_at: record.confirmedAtMs,
    last_step: null,
  };
  const created = await tx.insertIgnoringConflicts('account_totp', ['account_id'], [row]);
  return created.length > 0;
}

/** Marks the secret as confirmed by the code of a step. Returns false if another request has done so. */
export async function confirm(
  tx: Queries,
  accountId: AccountId,
  { step, nowMs }: { step: number; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('account_totp')
    .set({ confirmed_at: nowMs, last_step: step })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Uses the code of a step up. Returns false if it, or the code of a later step, was used before. */
export async function useStep(tx: Queries, accountId: AccountId, step: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('account_totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .where(({ or, eb }) => or([eb('last_step', 'is', null), eb('last_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes the authenticator app. Returns whether there was a confirmed one. */
export async function remove(tx: Queries, accountId: AccountId): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('account_totp')
    .where('account_id', '=', accountId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return removed !== undefined && removed.confirmed_at !== null;
}

/** Counts the confirmed secrets that are sealed under none of these keys. */
export async function countOutsideKeys({ db }: ReadQueries, keyIds: readonly string[]): Promise<number> {
  const row = await db
    .selectFrom('account_totp')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('confirmed_at', 'is not', null)
    .where('key_id', 'not in', [...keyIds])
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** Lists secrets that are not sealed under a key, in the order of accounts, and locks them. */
export async function listOutsideKeyForUpdate(
  tx: Queries,
  { keyId, after, limit }: { keyId: string; after: AccountId | undefined; limit: number },
): Promise<TotpRecord[]> {
  let query = tx.db
    .selectFrom('account_totp')
    .selectAll()
    .where('key_id', '!=', keyId)
    .orderBy('account_id')
    .limit(limit);
  if (after !== undefined) query = query.where('account_id', '>', after);
  return (await forUpdate(tx, query).execute()).map(toRecord);
}

/** Replaces the sealed form of an unchanged secret. */
export async function reseal(tx: Queries, accountId: AccountId, secret: SealedSecret): Promise<void> {
  await tx.db
    .updateTable('account_totp')
    .set({ key_id: secret.keyId, sealed_secret: secret.bytes })
    .where('account_id', '=', accountId)
    .execute();
}

function byId({ db }: ReadQueries, accountId: AccountId) {
  return db.selectFrom('account_totp').selectAll().where('account_id', '=', accountId);
}

function toRecord(row: Row<'account_totp'>): TotpRecord {
  return {
    accountId: row.account_id as AccountId,
    secret: { keyId: row.key_id, bytes: row.sealed_secret },
    createdAtMs: row.created_at,
    confirmedAtMs: row.confirmed_at,
  };
}
