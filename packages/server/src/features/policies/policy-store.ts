import type { Action, ThreatCategory } from '@tps/contract';
import { sql } from 'kysely';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { PolicyRecord } from './policy.ts';

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  policyId: string,
): Promise<PolicyRecord | undefined> {
  const row = await byId(queries, tenantId, policyId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a policy and locks it against other changes until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  policyId: string,
): Promise<PolicyRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, policyId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first, without archived policies. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<PolicyRecord[]> {
  let query = queries.db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('archived_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('policy_id', 'desc')
    .limit(limit);
  if (after !== undefined) {
    const [createdAt, policyId] = after;
    query = query.where(sql<boolean>`(created_at, policy_id) < (${Number(createdAt)}, ${String(policyId)})`);
  }
  return (await query.execute()).map(toRecord);
}

/** Adds a policy and returns whether it was new: an existing one with this id stays unchanged. */
export async function create(tx: Queries, tenantId: TenantId, policy: PolicyRecord): Promise<boolean> {
  const added = await tx.insertIgnoringConflicts(
    'policies',
    ['tenant_id', 'policy_id'],
    [toRow(tenantId, policy)],
  );
  return added.length > 0;
}

export async function update(tx: Queries, tenantId: TenantId, policy: PolicyRecord): Promise<void> {
  await tx.updateMany('policies', ['tenant_id', 'policy_id'], [toRow(tenantId, policy)]);
}

function byId(queries: ReadQueries, tenantId: TenantId, policyId: string) {
  return queries.db
    .selectFrom('policies')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('policy_id', '=', policyId);
}

function toRow(tenantId: TenantId, policy: PolicyRecord): Row<'policies'> {
  return {
    tenant_id: tenantId,
    policy_id: policy.policyId,
    name: policy.name,
    threat_categories: JSON.stringify(policy.categories),
    action: policy.action,
    confidence_threshold: policy.confidenceThreshold,
    enabled: policy.enabled ? 1 : 0,
    version: policy.version,
    created_at: policy.createdAtMs,
    updated_at: policy.updatedAtMs,
    archived_at: policy.archivedAtMs,
  };
}

function toRecord(row: Row<'policies'>): PolicyRecord {
  return {
    policyId: row.policy_id,
    name: row.name,
    categories: JSON.parse(row.threat_categories) as ThreatCategory[],
    action: row.action as Action,
    confidenceThreshold: row.confidence_threshold,
    enabled: row.enabled === 1,
    version: row.version,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    archivedAtMs: row.archived_at,
  };
}
