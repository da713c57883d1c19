import { type Kysely, sql } from 'kysely';
import { SHARES_DDL } from '../../platform/rate-limit/shares-ddl.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version, which inserts admissions without the new columns: they have defaults, and count against
 * the same limit. SQLite has one process, which limits in memory.
 */
export async function shareRateLimits(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return;
  for (const statement of SHARES_DDL) await sql.raw(statement).execute(db);
}
