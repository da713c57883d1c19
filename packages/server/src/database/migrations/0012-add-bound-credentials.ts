import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version, which ignores the new columns and leaves them empty in the tokens that it creates. It would
 * take a credential that is bound to a device, or an enrolment secret, for a token with its few scopes: create them once
 * every node runs this version.
 */
export async function addBoundCredentials(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64 } = columnTypes(engine);
  await db.schema.alterTable('tokens').addColumn('device_id', text).execute();
  await db.schema.alterTable('tokens').addColumn('max_uses', int64).execute();
  await db.schema.alterTable('tokens').addColumn('uses', int64).execute();
  await sql`create index tokens_of_devices on tokens (tenant_id, device_id, token_id) where device_id is not null`.execute(
    db,
  );
  // So that a list of tokens does not scan the credentials of all devices.
  await sql`create index tokens_unbound on tokens (tenant_id, token_id) where device_id is null`.execute(db);
}
