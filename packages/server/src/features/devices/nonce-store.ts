import { CREATED_MAX_AGE_SECONDS, CREATED_MAX_AHEAD_SECONDS } from '@tps/signatures';
import { prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
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
const KEY = ['tenant_id', 'bucket', 'nonce', 'device_id'] as const;

/**
 * Claims the nonces that were not used within the window, and returns for each whether it was claimed. Of two equal
 * ones in one call, the first is claimed.
 */
export async function claim(
  tx: Queries,
  tenantId: TenantId,
  nonces: readonly UsedNonce[],
): Promise<boolean[]> {
  const isUnused = await findUnused(tx, tenantId, nonces);
  const unused = nonces.filter((_, index) => isUnused[index]);
  const inserted = new Set(await tx.insertIgnoringConflicts('request_nonces', KEY, toRows(tenantId, unused)));
  let next = 0;
  return isUnused.map((is) => {
    if (!is) return false;
    next += 1;
    return inserted.has(next - 1);
  });
}

/** Returns for each nonce whether it was not used within the window. Of two equal nonces, only the first is unused. */
export async function findUnused(
  queries: ReadQueries,
  tenantId: TenantId,
  nonces: readonly UsedNonce[],
): Promise<boolean[]> {
  if (nonces.length === 0) return [];
  const buckets = new Set(
    nonces.flatMap(({ created }) => [-1, 0, 1].map((next) => bucketOf(created) + next)),
  );
  const texts = nonces.map(({ nonce }) => nonce);
  const found = await selectNonces(queries, { tenantId, buckets: [...buckets], nonces: texts });
  const seen = new Set(found.map((row) => `${row.device_id} ${row.nonce}`));
  return nonces.map(({ deviceId, nonce }) => {
    const key = `${deviceId} ${nonce}`;
    const isUnused = !seen.has(key);
    seen.add(key);
    return isUnused;
  });
}

/** Inserts unused nonces. Fails if a simultaneous transaction has inserted one of them. */
export async function use(tx: Queries, tenantId: TenantId, nonces: readonly UsedNonce[]): Promise<void> {
  await tx.insertMany('request_nonces', toRows(tenantId, nonces));
}

function toRows(tenantId: TenantId, nonces: readonly UsedNonce[]) {
  return nonces.map(({ deviceId, nonce, created }) => ({
    tenant_id: tenantId,
    bucket: bucketOf(created),
    device_id: deviceId,
    nonce,
  }));
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

const selectNonces = prepareQuery(
  (queries, values: { tenantId: TenantId; buckets: readonly number[]; nonces: readonly string[] }) =>
    queries.db
      .selectFrom('request_nonces')
      .select(['device_id', 'nonce'])
      .where('tenant_id', '=', values.tenantId)
      .where(queries.anyOf('bucket', values.buckets))
      .where(queries.anyOf('nonce', values.nonces)),
);
