import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { SealedSecret } from '../../../platform/crypto/secret-box.ts';

const SETTING = 'indicator_bundle_key';

/** Reads the sealed private key that bundles are signed with, which all nodes share. */
export async function find(queries: ReadQueries): Promise<SealedSecret | undefined> {
  const row = await queries.db
    .selectFrom('service_settings')
    .select('value')
    .where('name', '=', SETTING)
    .executeTakeFirst();
  if (!row) return undefined;
  const { key_id: keyId, sealed } = JSON.parse(row.value) as { key_id: string; sealed: string };
  return { keyId, bytes: Buffer.from(sealed, 'base64') };
}

/** Stores the key unless another node has stored one before. */
export async function create(tx: Queries, sealed: SealedSecret): Promise<void> {
  await tx.insertIgnoringConflicts('service_settings', ['name'], [toRow(sealed)]);
}

export async function save(tx: Queries, sealed: SealedSecret): Promise<void> {
  await tx.upsertMany('service_settings', ['name'], [toRow(sealed)]);
}

function toRow({ keyId, bytes }: SealedSecret): { name: string; value: string } {
  return { name: SETTING, value: JSON.stringify({ key_id: keyId, sealed: bytes.toString('base64') }) };
}
