import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { AccountId } from '../account.ts';

/** Replaces all codes of an account. */
export async function replaceAll(
  tx: Queries,
  accountId: AccountId,
  codeHashes: readonly string[],
): Promise<void> {
  await removeAll(tx, accountId);
  const rows = codeHashes.map((code_hash) => ({ account_id: accountId, code_hash, used_at: null }));
  await tx.insertMany('account_recovery_codes', rows);
}

/** Uses a code up. Returns false for an unknown code and for one that was used before. */
export async function use(
  tx: Queries,
  accountId: AccountId,
  { codeHash, nowMs }: { codeHash: string; nowMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('account_recovery_codes')
    .set({ used_at: nowMs })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Counts the codes that can still be used. */
export async function countUnused({ db }: ReadQueries, accountId: AccountId): Promise<number> {
  const row = await db
    .selectFrom('account_recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

export async function removeAll(tx: Queries, accountId: AccountId): Promise<void> {
  await tx.db.deleteFrom('account_recovery_codes').where('account_id', '=', accountId).execute();
}
