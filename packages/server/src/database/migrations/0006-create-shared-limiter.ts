import { type Kysely, sql } from 'kysely';
import { SHARED_LIMITER_DDL } from '../../platform/rate-limit/shared-limiter-ddl.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds what no older version uses. SQLite has one process, which limits in memory. */
export async function createSharedLimiter(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine !== 'postgres') return;
  for (const statement of SHARED_LIMITER_DDL) await sql.raw(statement).execute(db);
}
