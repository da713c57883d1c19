import { CREATED_MAX_AGE_SECONDS, CREATED_MAX_AHEAD_SECONDS } from '@tps/signatures';
import { prepareQuery, type Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** The nonce of one verified signature. */
export interface UsedNonce {
  readonly deviceId: string;
  readonly nonce: string;
  /** The `created` parameter of the signature, in Unix seconds. */
  readonly created: number;
}

/**
 * Nonces are grouped by `created`, so that old ones are deleted as a range of the key, without an index on time. A
 * bucket is longer than the window in which a signature is accepted: the same nonce can only be in the same bucket
 * or a neighbouring one.
 */
const BUCKET_SECONDS = 512;
const WINDOW_SECONDS = CREATED_MAX_AGE_SECONDS + CREATED_MAX_AHEAD_SECONDS;

/**
 * Claims the nonces that were not used within the window, and returns for each whether it was claimed. Of two equal
 * ones in one call, the first is claimed.
 */
export async function claim(
  tx: Queries,
  tenantId: TenantId,
  nonces: readonly UsedNonce[],
): Promise<boolean[]> {
  if (nonces.length === 0) return [];
  const rows = nonces.map(({ deviceId, nonce, created }) => ({
    tenant_id: tenantId,
    bucket: bucketOf(created),
    device_id: deviceId,
    nonce,
  }));
  const neighbours = await findIn(tx, tenantId, rows);
  const inserted = new Set(
    await tx.insertIgnoringConflicts('request_nonces', ['tenant_id', 'bucket', 'nonce', 'device_id'], rows),
  );
  const seen = new Set<string>();
  return rows.map((row, index) => {
    const key = `${row.device_id} ${row.nonce}`;
    const isFirst = !seen.has(key) && !neighbours.has(key);
    seen.add(key);
    return isFirst && inserted.has(index);
  });
}

/** Deletes nonces that no acceptable signature can carry any more. */
export async function purge(tx: Queries, tenantId: TenantId, nowMs: number): Promise<void> {
  await tx.db
    .deleteFrom('request_nonces')
    .where('tenant_id', '=', tenantId)
    .where('bucket', '<', bucketOf(Math.floor(nowMs / 1000) - WINDOW_SECONDS) - 1)
    .execute();
}

function bucketOf(created: number): number {
  return Math.floor(created / BUCKET_SECONDS);
}

/** Finds which of these nonces are in a neighbouring bucket. */
async function findIn(
  tx: Queries,
  tenantId: TenantId,
  rows: readonly { bucket: number; nonce: string }[],
): Promise<Set<string>> {
  const buckets = new Set(rows.flatMap(({ bucket }) => [bucket - 1, bucket, bucket + 1]));
  const nonces = rows.map(({ nonce }) => nonce);
  const found = await selectNonces(tx, { tenantId, buckets: [...buckets], nonces });
  return new Set(found.map((row) => `${row.device_id} ${row.nonce}`));
}

const selectNonces = prepareQuery(
  (queries, values: { tenantId: TenantId; buckets: readonly number[]; nonces: readonly string[] }) =>
    queries.db
      .selectFrom('request_nonces')
      .select(['device_id', 'nonce'])
      .where('tenant_id', '=', values.tenantId)
      .where(queries.anyOf('bucket', values.buckets))
      .where(queries.anyOf('nonce', values.nonces)),
);
