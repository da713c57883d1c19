import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds a column that an older node neither reads nor writes. */
export async function addSilentUntil(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { int64 } = columnTypes(engine);
  await db.schema.alterTable('webhook_circuits').addColumn('silent_until', int64).execute();
}
