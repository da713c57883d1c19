import type { AuditEntry } from '@tps/contract';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import type { Selectable } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { AuditEntriesTable } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { derivedId } from '../../platform/identifiers.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type ChainedAuditEntry, nextAuditHash } from './audit-chain.ts';
import { type ActingRequest, type AuditRecord, actorOf } from './audit-entry.ts';
import * as auditHeadStore from './audit-head-store.ts';

export interface AuditFilter {
  /** Only actions that begin with this, such as `token.`. */
  readonly actionPrefix: string;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
}

/**
 * Appends an entry to the tenant's chain, in the transaction of the change that it records. Locks the end of the chain
 * until the transaction ends: append last, so that others wait briefly and no two transactions wait for each other.
 */
export async function append(tx: Queries, record: AuditRecord, nowMs: number): Promise<void> {
  const tenantId = record.tenantId ?? NO_TENANT;
  const head = await auditHeadStore.lock(tx, tenantId, nowMs);
  const position = head.position + 1;
  // Times never decrease along the chain, even if the clocks of the nodes do: retention removes its beginning.
  const occurredAtMs = Math.max(nowMs, head.occurredAtMs);
  const entry: ChainedAuditEntry = {
    tenant_id: tenantId,
    position,
    audit_id: derivedId(ID_PREFIXES.audit, {
      atMs: occurredAtMs,
      order: position,
      seed: `audit ${tenantId} ${position}`,
    }),
    occurred_at: occurredAtMs,
    actor_type: record.actor.type,
    actor_id: record.actor.id,
    action: record.action,
    resource_type: record.resource.type,
    resource_id: record.resource.id,
    outcome: record.outcome,
    request_id: record.requestId,
    detail: record.detail,
    fields: JSON.stringify(record.fields),
  };
  const chainHash = nextAuditHash(head.chainHash, entry);
  await tx.db
    .insertInto('audit_entries')
    .values({ ...entry, chain_hash: chainHash })
    .execute();
  await auditHeadStore.advance(tx, tenantId, { position, chainHash, occurredAtMs });
}

/** Records a change that a request made, in the transaction of the change. */
export async function appendFor(
  tx: Queries,
  request: ActingRequest,
  change: Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'>,
  nowMs: number,
): Promise<void> {
  const record: AuditRecord = {
    ...change,
    actor: actorOf(request),
    outcome: 'success',
    requestId: request.requestId,
  };
  await append(tx, record, nowMs);
}

/** Lists entries of a tenant, newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  filter: AuditFilter,
  { after, limit }: PageRequest,
): Promise<AuditEntry[]> {
  let query = queries.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('action', 'like', `${filter.actionPrefix}%`)
    .orderBy('audit_id', 'desc')
    .limit(limit);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.resourceId !== undefined) query = query.where('resource_id', '=', filter.resourceId);
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId);
  if (after !== undefined) query = query.where('audit_id', '<', String(after[0]));
  return (await query.execute()).map(toAuditEntry);
}

function toAuditEntry(row: Selectable<AuditEntriesTable>): AuditEntry {
  return {
    audit_id: row.audit_id,
    tenant_id: row.tenant_id === NO_TENANT ? null : row.tenant_id,
    occurred_at: toTimestamp(row.occurred_at),
    actor: { type: row.actor_type as AuditEntry['actor']['type'], id: row.actor_id },
    action: row.action,
    resource: { type: row.resource_type, id: row.resource_id },
    outcome: row.outcome as AuditEntry['outcome'],
    request_id: row.request_id,
    detail: row.detail,
    fields: JSON.parse(row.fields) as Record<string, unknown>,
    ...(row.resource_type === 'token' ? { token_id: row.resource_id } : {}),
    ...(row.resource_type === 'job' ? { job_id: row.resource_id } : {}),
    ...(row.action.startsWith('job.review.') ? { reviewed_by: row.actor_id } : {}),
  };
}
