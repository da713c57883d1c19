import type { Kysely } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds columns that an older node neither reads nor writes. A consent that an older node
 * stores has no version, so its time counts. If it replaces one with a version, both columns stay: at worst, the person is
 * asked again.
 */
export async function addConsentVersions(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64 } = columnTypes(engine);
  await db.schema.alterTable('oauth_consents').addColumn('client_version', int64).execute();
  await db.schema.alterTable('oauth_consents').addColumn('version_scopes', text).execute();
}
