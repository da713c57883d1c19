import { forUpdate, prepareQuery, type Queries, type ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** The end of a tenant's feed. */
export interface FeedHead {
  /** Position of the newest event; 0 before the first. */
  readonly position: number;
  readonly chainHash: Uint8Array;
  readonly receivedAtMs: number;
}

const COLUMNS = ['position', 'chain_hash', 'received_at'] as const;
const EMPTY: FeedHead = { position: 0, chainHash: new Uint8Array(32), receivedAtMs: 0 };

/**
 * Locks the end of a tenant's feed until the transaction ends. Every transaction that appends events or changes
 * what is derived from them takes this lock first, so that positions are assigned in commit order and no derived
 * state is overwritten.
 */
export async function lock(tx: Queries, tenantId: TenantId): Promise<FeedHead> {
  const head = await lockExisting(tx, tenantId);
  if (head) return head;
  await create(tx, tenantId);
  return (await lockExisting(tx, tenantId)) ?? EMPTY;
}

/** Like `lock`, but returns undefined before the first event of a tenant: there is no row to lock. */
export async function lockExisting(tx: Queries, tenantId: TenantId): Promise<FeedHead | undefined> {
  const [row] = await selectLocked(tx, { tenantId });
  return row && toHead(row);
}

/** Creates the row that `lock` locks, unless it exists. */
export async function create(tx: Queries, tenantId: TenantId): Promise<void> {
  const { position, chainHash, receivedAtMs } = EMPTY;
  await tx.insertIgnoringConflicts(
    'feed_heads',
    ['tenant_id'],
    [{ tenant_id: tenantId, position, chain_hash: chainHash, received_at: receivedAtMs }],
  );
}

export async function advance(tx: Queries, tenantId: TenantId, head: FeedHead): Promise<void> {
  await tx.updateMany(
    'feed_heads',
    ['tenant_id'],
    [
      {
        tenant_id: tenantId,
        position: head.position,
        chain_hash: head.chainHash,
        received_at: head.receivedAtMs,
      },
    ],
  );
}

export async function read(queries: ReadQueries, tenantId: TenantId): Promise<FeedHead> {
  const row = await queries.db
    .selectFrom('feed_heads')
    .select(COLUMNS)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return row ? toHead(row) : EMPTY;
}

const selectLocked = prepareQuery((tx: Queries, { tenantId }: { tenantId: TenantId }) =>
  forUpdate(tx, tx.db.selectFrom('feed_heads').select(COLUMNS).where('tenant_id', '=', tenantId)),
);

function toHead(row: { position: number; chain_hash: Uint8Array; received_at: number }): FeedHead {
  return { position: row.position, chainHash: row.chain_hash, receivedAtMs: row.received_at };
}
