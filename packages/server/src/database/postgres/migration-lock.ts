import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables/index.ts';

/** The advisory lock's number. Nothing else in the database uses it: the letters "tps_". */
const MIGRATION_LOCK = 0x7470735f;

/** A waiting node reports after this time who holds the lock. */
const LOCK_ATTEMPT_MS = 1_000;

/**
 * A migration waits this long for a table that a running node uses, and then releases its locks, because they delay that
 * node. Less than the node waits itself (`LOCK_WITHIN_MS`), and than PostgreSQL takes to end a deadlock (1 s).
 */
const TABLE_LOCK_WITHIN_MS = 300;

/**
 * Locks the migrations until the transaction ends. Behind a pooler, a lock of the session would outlast the transaction,
 * because other clients get the session. A node that dies while it migrates does not block the others.
 *
 * @throws an error with `isLockConflict` when another session holds the lock
 */
export async function lockMigrations(tx: Kysely<Tables>): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_ATTEMPT_MS)}`.execute(tx);
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(tx);
  await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_WITHIN_MS)}`.execute(tx);
}

/** A session that holds locks. PostgreSQL shows the details of other users' sessions to members of `pg_read_all_stats` only. */
export interface LockHolder {
  readonly pid: number;
  readonly user: string | null;
  readonly application: string | null;
  readonly address: string | null;
  readonly since: string | null;
}

/** Returns the session that holds the lock of migrations, or otherwise those that have used tables longest. */
export async function findLockHolders(db: Kysely<Tables>): Promise<LockHolder[]> {
  const { rows } = await sql<LockHolder & { isMigrating: number }>`
    select distinct on ("isMigrating", begun, pid)
      pid, usename as user, application_name as application, host(client_addr) as address,
      to_char(begun at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since,
      locktype = 'advisory' as "isMigrating"
    from pg_locks
      join (select *, coalesce(xact_start, state_change, backend_start) as begun from pg_stat_activity)
        as sessions using (pid)
    where granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and (
        (locktype = 'advisory' and classid = 0 and objid = ${sql.lit(MIGRATION_LOCK)} and objsubid = 1)
        or (locktype = 'relation' and backend_type = 'client backend')
      )
    order by "isMigrating" desc, begun, pid
    limit 3`.execute(db);
  const holders = rows.some(({ isMigrating }) => isMigrating) ? rows.filter((row) => row.isMigrating) : rows;
  return holders.map(({ isMigrating: _, ...holder }) => holder);
}

/** Describes a session in the words of an error message. */
export function describeHolder({ pid, user, application, address, since }: LockHolder): string {
  const details = [
    application && `"${application}"`,
    user && `as ${user}`,
    `from ${address ?? 'this machine or an address that this role may not see'}`,
    since && `since ${since}`,
  ];
  return `session ${pid} (${details.filter(Boolean).join(' ')})`;
}
