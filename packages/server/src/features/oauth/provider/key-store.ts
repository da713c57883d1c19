import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';

/** A key of the authorization server, sealed. */
export type OauthKeyRow = Row<'oauth_keys'>;

/** Newest first. */
export function list({ db }: ReadQueries): Promise<OauthKeyRow[]> {
  return db.selectFrom('oauth_keys').selectAll().orderBy('active_from', 'desc').orderBy('key_id').execute();
}

export async function create(tx: Queries, row: OauthKeyRow): Promise<void> {
  await tx.db.insertInto('oauth_keys').values(row).execute();
}

/** Replaces the sealed form of a key. */
export async function saveSealed(
  tx: Queries,
  keyId: string,
  { sealed_under, sealed_key }: Pick<OauthKeyRow, 'sealed_under' | 'sealed_key'>,
): Promise<void> {
  await tx.db
    .updateTable('oauth_keys')
    .set({ sealed_under, sealed_key })
    .where('key_id', '=', keyId)
    .execute();
}

export async function retire(tx: Queries, keyId: string, retiredAt: number): Promise<void> {
  await tx.db.updateTable('oauth_keys').set({ retired_at: retiredAt }).where('key_id', '=', keyId).execute();
}

/** Deletes keys whose last signatures have expired. */
export async function purge(tx: Queries, retiredBefore: number): Promise<void> {
  await tx.db.deleteFrom('oauth_keys').where('retired_at', '<=', retiredBefore).execute();
}
