import { type Queries, type ReadQueries, settingsStore } from '../../../database/index.ts';
import type { SealedSecret } from '../../../platform/crypto/secret-box.ts';

const SETTING = 'indicator_bundle_key';

/** Finds the sealed private key that signs bundles. All nodes share it. */
export async function find(queries: ReadQueries): Promise<SealedSecret | undefined> {
  const value = await settingsStore.find(queries, SETTING);
  if (value === undefined) return undefined;
  const { key_id: keyId, sealed } = JSON.parse(value) as { key_id: string; sealed: string };
  return { keyId, bytes: Buffer.from(sealed, 'base64') };
}

/** Stores the key unless another node has already stored one. */
export async function create(tx: Queries, sealed: SealedSecret): Promise<void> {
  await settingsStore.create(tx, SETTING, toValue(sealed));
}

export async function save(tx: Queries, sealed: SealedSecret): Promise<void> {
  await settingsStore.save(tx, SETTING, toValue(sealed));
}

function toValue({ keyId, bytes }: SealedSecret): string {
  return JSON.stringify({ key_id: keyId, sealed: Buffer.from(bytes).toString('base64') });
}
