import { forUpdate, type Queries } from '../../../database/index.ts';

/** The failed attempts under one key. */
export interface LoginFailures {
  readonly keyHash: string;
  readonly failures: number;
  readonly lastAtMs: number;
  readonly blockedUntilMs: number;
}

/** Finds the failures of keys and locks them until the transaction ends. Begins counting for those that are new. */
export async function lock(
  tx: Queries,
  keyHashes: readonly string[],
): Promise<{ failures: LoginFailures[]; begun: string[] }> {
  // In one order, so that two transactions do not wait for each other.
  const sorted = keyHashes.toSorted();
  const fresh = sorted.map((key_hash) => ({ key_hash, failures: 0, last_at: 0, blocked_until: 0 }));
  const inserted = await tx.insertIgnoringConflicts('login_failures', ['key_hash'], fresh);
  const rows = await forUpdate(
    tx,
    tx.db.selectFrom('login_failures').selectAll().where(tx.anyOf('key_hash', sorted)).orderBy('key_hash'),
  ).execute();
  const failures = rows.map((row) => ({
    keyHash: row.key_hash,
    failures: row.failures,
    lastAtMs: row.last_at,
    blockedUntilMs: row.blocked_until,
  }));
  return { failures, begun: inserted.flatMap((index) => sorted[index] ?? []) };
}

export async function save(tx: Queries, all: readonly LoginFailures[]): Promise<void> {
  const rows = all.map((one) => ({
    key_hash: one.keyHash,
    failures: one.failures,
    last_at: one.lastAtMs,
    blocked_until: one.blockedUntilMs,
  }));
  await tx.updateMany('login_failures', ['key_hash'], rows);
}

export async function remove(tx: Queries, keyHashes: readonly string[]): Promise<void> {
  await tx.db.deleteFrom('login_failures').where(tx.anyOf('key_hash', keyHashes)).execute();
}

/** Deletes what was last counted before this time. */
export async function purge(tx: Queries, beforeMs: number): Promise<void> {
  await tx.db.deleteFrom('login_failures').where('last_at', '<', beforeMs).execute();
}
