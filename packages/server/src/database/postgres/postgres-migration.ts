import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { DatabaseOptions } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Migration } from '../migration.ts';
import type { Tables } from '../tables/index.ts';
import { describeHolder, findLockHolders, type LockHolder, lockMigrations } from './migration-lock.ts';
import { PostgresDriver, postgresDialect } from './postgres-driver.ts';
import { isLockConflict } from './postgres-failures.ts';
import { createPool } from './postgres-pool.ts';

/** How long a node tries to migrate. Another node may migrate meanwhile: an index on many rows takes minutes. */
const MIGRATION_WITHIN_MS = 300_000;
/** How often a node that waits says so. */
const REPORT_EVERY_MS = 30_000;

interface MigrationOptions extends DatabaseOptions {
  readonly migrations: readonly Migration[];
}

/** Applies the pending migrations, one node at a time. */
export async function migratePostgres(url: string, options: MigrationOptions): Promise<void> {
  const pool = createPool(url, { size: 1, isForMigrations: true, logger: options.logger });
  const db = new Kysely<Tables>({ dialect: postgresDialect(new PostgresDriver(pool)) });
  try {
    await db.connection().execute(async (connection) => {
      await untilLocked(connection, options);
    });
  } finally {
    await db.destroy();
  }
}

/** Repeats migrations that did not get their locks beside other nodes. What was migrated before stays. */
async function untilLocked(
  connection: Kysely<Tables>,
  { migrationWithinMs = MIGRATION_WITHIN_MS, ...options }: MigrationOptions,
): Promise<void> {
  const endMs = performance.now() + migrationWithinMs;
  let nextReportMs = 0;
  for (;;) {
    try {
      await migrate(connection, { ...options, engine: 'postgres', lock: lockMigrations });
      return;
    } catch (error) {
      if (!isLockConflict(error)) throw error;
      const nowMs = performance.now();
      const isOver = nowMs > endMs;
      if (isOver || nowMs >= nextReportMs) {
        const holders = await findLockHolders(connection);
        if (isOver) throw new Error(toRemedy(holders, migrationWithinMs), { cause: error });
        const waitsForSeconds = Math.ceil((endMs - nowMs) / 1000);
        options.logger?.warn(
          { holders, waitsForSeconds },
          'schema migration waits for locks of other sessions',
        );
        nextReportMs = nowMs + REPORT_EVERY_MS;
      }
      // The requests that wait behind it go first.
      await sleep(randomInt(100, 300));
    }
  }
}

function toRemedy(holders: readonly LockHolder[], waitedMs: number): string {
  const held = holders.map(describeHolder).join(', ') || 'other sessions, which have ended meanwhile';
  return (
    `The schema was not migrated within ${waitedMs / 1000} s: its locks were held by ${held}. ` +
    'If another node migrates, wait until it is ready. Otherwise stop the nodes that hold them, or end a session with ' +
    'SELECT pg_terminate_backend(<session>). Then start this node again.'
  );
}
