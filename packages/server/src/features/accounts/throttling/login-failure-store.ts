import { forUpdate, type Queries, type ReadQueries } from '../../../database/index.ts';

/** On SQLite, a statement holds the main thread. */
const KEYS_PER_READ = 5000;

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

/** Deletes what was last counted before this time. Returns how many: call again while it returns the limit. */
export async function purge(tx: Queries, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('login_failures')
    .where('key_hash', 'in', (select) =>
      select
        .selectFrom('login_failures')
        .select('key_hash')
        .where('last_at', '<', beforeMs)
        .orderBy('last_at')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Returns the time before which all but about so many of the latest keys were last counted; undefined if there are fewer. */
export async function findTimeOf({ db }: ReadQueries, keys: number): Promise<number | undefined> {
  let timeMs: number | undefined = Number.MAX_SAFE_INTEGER;
  for (let seen = 0; seen < keys && timeMs !== undefined; seen += KEYS_PER_READ) {
    const row = await db
      .selectFrom('login_failures')
      .select('last_at')
      .where('last_at', '<=', timeMs)
      .orderBy('last_at', 'desc')
      .offset(Math.min(KEYS_PER_READ, keys - seen))
      .limit(1)
      .executeTakeFirst();
    timeMs = row?.last_at;
  }
  return timeMs;
}
