import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Adds a column that an older version leaves empty, and an index that no query names. As before, do not delete data on
 * request beside an older version: an older node leaves rows of large incidents behind.
 */
export async function boundDataRequests(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text } = columnTypes(engine);
  await db.schema.alterTable('data_requests').addColumn('leftovers', text).execute();
  await sql`create index notices_by_digest on notices (tenant_id, digest_id) where digest_id is not null`.execute(
    db,
  );
}
