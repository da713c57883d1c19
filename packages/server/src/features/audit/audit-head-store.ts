import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import { firstAuditHash } from './audit-chain.ts';

/** The end of a tenant's audit chain. */
export interface AuditEnd {
  readonly position: number;
  readonly chainHash: Uint8Array;
  readonly occurredAtMs: number;
}

/** The end of the chain, and where the kept part begins. */
export interface AuditHead extends AuditEnd {
  readonly startedAtMs: number;
  readonly purgedPosition: number;
  readonly purgedHash: Uint8Array;
}

/** Locks the end of the chain until the transaction ends. Begins the chain if there is none. */
export async function lock(tx: Queries, tenantId: string, nowMs: number): Promise<AuditEnd> {
  const head = await readLocked(tx, tenantId);
  if (head) return head;
  const chainHash = firstAuditHash(tenantId, nowMs);
  const fresh: Row<'audit_heads'> = {
    tenant_id: tenantId,
    position: 0,
    chain_hash: chainHash,
    occurred_at: nowMs,
    started_at: nowMs,
    purged_position: 0,
    purged_hash: chainHash,
  };
  await tx.insertIgnoringConflicts('audit_heads', ['tenant_id'], [fresh]);
  return (await readLocked(tx, tenantId)) ?? toHead(fresh);
}

export async function advance(tx: Queries, tenantId: string, end: AuditEnd): Promise<void> {
  await tx.db
    .updateTable('audit_heads')
    .set({ position: end.position, chain_hash: end.chainHash, occurred_at: end.occurredAtMs })
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Moves the beginning of the chain behind the entries up to this id, which the same transaction removes. */
export async function passOver(tx: Queries, tenantId: string, { until }: { until: string }): Promise<void> {
  const last = await tx.db
    .selectFrom('audit_entries')
    .select(['position', 'chain_hash'])
    .where('tenant_id', '=', tenantId)
    .where('audit_id', '<=', until)
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last || last.position === null || last.chain_hash === null) return;
  await tx.db
    .updateTable('audit_heads')
    .set({ purged_position: last.position, purged_hash: last.chain_hash })
    .where('tenant_id', '=', tenantId)
    .where('purged_position', '<', last.position)
    .execute();
}

export async function read(queries: ReadQueries, tenantId: string): Promise<AuditHead | undefined> {
  const row = await select(queries, tenantId).executeTakeFirst();
  return row && toHead(row);
}

async function readLocked(tx: Queries, tenantId: string): Promise<AuditHead | undefined> {
  const row = await forUpdate(tx, select(tx, tenantId)).executeTakeFirst();
  return row && toHead(row);
}

function select({ db }: ReadQueries, tenantId: string) {
  return db.selectFrom('audit_heads').selectAll().where('tenant_id', '=', tenantId);
}

function toHead(row: Row<'audit_heads'>): AuditHead {
  return {
    position: row.position,
    chainHash: row.chain_hash,
    occurredAtMs: row.occurred_at,
    startedAtMs: row.started_at,
    purgedPosition: row.purged_position,
    purgedHash: row.purged_hash,
  };
}
