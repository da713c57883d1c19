import type { AuditEntry, CountInterval, Counts } from '@tps/contract';
import { ID_PREFIXES, MAX_COUNTED } from '@tps/contract/vocabulary';
import { sql } from 'kysely';
import {
  allOf,
  type Condition,
  countByTime,
  idsWithin,
  keySpans,
  matches,
  type Queries,
  type ReadQueries,
} from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import { derivedId } from '../../platform/identifiers.ts';
import type { AnyOf, TimeRange } from '../../platform/list-filters.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type ChainedAuditEntry, nextAuditHash } from './audit-chain.ts';
import { type ActingRequest, type AuditRecord, actorOf } from './audit-entry.ts';
import * as auditHeadStore from './audit-head-store.ts';

export interface AuditFilter {
  /** Only actions that begin with this, such as `token.`. */
  readonly actionPrefix?: string;
  readonly action?: string | undefined;
  readonly resourceId?: string | undefined;
  readonly actorId?: string | undefined;
}

/** What a person looks for in the whole audit log of a tenant. */
export interface AuditSearch {
  readonly action: AnyOf | undefined;
  readonly actorType: AnyOf | undefined;
  readonly actorId: AnyOf | undefined;
  readonly resourceType: AnyOf | undefined;
  readonly resourceId: AnyOf | undefined;
  readonly outcome: AnyOf | undefined;
  readonly occurred: TimeRange;
}

/**
 * Appends an entry to the tenant's chain, in the transaction of the change that it records. The entry is written when the
 * work of the transaction has ended, whenever this is called: the end of a chain is the last row that a transaction locks.
 */
export async function append(tx: Queries, record: AuditRecord, nowMs: number): Promise<void> {
  tx.atEnd(appendAll, { record, nowMs });
}

interface Addition {
  readonly record: AuditRecord;
  readonly nowMs: number;
}

/** Tenants in order, so that two transactions do not wait for each other. */
async function appendAll(tx: Queries, additions: readonly Addition[]): Promise<void> {
  const tenantIds = new Set(additions.map(({ record }) => record.tenantId ?? NO_TENANT));
  for (const tenantId of [...tenantIds].sort()) {
    const own = additions.filter(({ record }) => (record.tenantId ?? NO_TENANT) === tenantId);
    await appendTo(tx, tenantId, own);
  }
}

async function appendTo(tx: Queries, tenantId: string, additions: readonly Addition[]): Promise<void> {
  let end = await auditHeadStore.lock(tx, tenantId, additions[0]?.nowMs ?? 0);
  const rows: Row<'audit_entries'>[] = [];
  for (const { record, nowMs } of additions) {
    const position = end.position + 1;
    // Times never decrease along the chain, even if the clocks of the nodes do: retention removes its beginning.
    const occurredAtMs = Math.max(nowMs, end.occurredAtMs);
    const entry = toEntry(record, { tenantId, position, occurredAtMs });
    const chainHash = nextAuditHash(end.chainHash, entry);
    rows.push({ ...entry, chain_hash: chainHash });
    end = { position, chainHash, occurredAtMs };
  }
  await tx.insertMany('audit_entries', rows);
  await auditHeadStore.advance(tx, tenantId, end);
}

function toEntry(
  record: AuditRecord,
  { tenantId, position, occurredAtMs }: { tenantId: string; position: number; occurredAtMs: number },
): ChainedAuditEntry {
  return {
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

export async function find(
  { db }: ReadQueries,
  tenantId: TenantId,
  auditId: string,
): Promise<AuditEntry | undefined> {
  const row = await db
    .selectFrom('audit_entries')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('audit_id', '=', auditId)
    .executeTakeFirst();
  return row && toAuditEntry(row);
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
    .orderBy('audit_id', 'desc')
    .limit(limit);
  if (filter.actionPrefix !== undefined) query = query.where('action', 'like', `${filter.actionPrefix}%`);
  if (filter.action !== undefined) query = query.where('action', '=', filter.action);
  if (filter.resourceId !== undefined) query = query.where('resource_id', '=', filter.resourceId);
  if (filter.actorId !== undefined) query = query.where('actor_id', '=', filter.actorId);
  if (after !== undefined) query = query.where('audit_id', '<', String(after[0]));
  return (await query.execute()).map(toAuditEntry);
}

/** Counts the entries of an action since a time. */
export async function count(
  queries: ReadQueries,
  tenantId: TenantId,
  { action, sinceMs }: { action: string; sinceMs: number },
): Promise<number> {
  const { total } = await queries.db
    .selectFrom('audit_entries')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('tenant_id', '=', tenantId)
    .where('action', '=', action)
    .where(allOf(idsWithin('audit_id', ID_PREFIXES.audit, { sinceMs, untilMs: undefined })))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/**
 * Searches the entries of a tenant, newest first, in spans that each take one short statement. `next` is the id after which
 * older entries follow: also if the most entries that one request examines did not fill the page.
 */
export async function search(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page: { after, limit } }: { filter: AuditSearch; page: PageRequest },
): Promise<{ entries: AuditEntry[]; next: string | undefined }> {
  const { scope, ...rows } = rowsOf(queries, tenantId, filter);
  const begin: Condition[] = after === undefined ? [] : [sql`audit_id < ${String(after[0])}`];
  const entries: AuditEntry[] = [];
  let examined = 0;
  for await (const span of keySpans(queries, { ...rows, scope: [...scope, ...begin] })) {
    const found = await queries.db
      .selectFrom('audit_entries')
      .selectAll()
      .where(allOf([...span.conditions, ...rows.conditions]))
      .orderBy('audit_id', 'desc')
      .limit(limit + 1 - entries.length)
      .execute();
    entries.push(...found.map(toAuditEntry));
    if (entries.length > limit)
      return { entries: entries.slice(0, limit), next: entries[limit - 1]?.audit_id };
    examined += span.size;
    if (examined >= MAX_COUNTED && span.end) return { entries, next: String(span.end[0]) };
  }
  return { entries, next: undefined };
}

export function countOverTime(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, interval }: { filter: AuditSearch; interval: CountInterval | undefined },
): Promise<Counts> {
  const rows = { ...rowsOf(queries, tenantId, filter), time: sql<number>`occurred_at` };
  return countByTime(queries, rows, { range: filter.occurred, interval });
}

/** One actor or one resource selects a range of an index; the other filters are checked row by row. */
function rowsOf(queries: ReadQueries, tenantId: TenantId, filter: AuditSearch) {
  const { action, actorType, actorId, resourceType, resourceId, outcome, occurred } = filter;
  const isOne = (one: AnyOf | undefined) => one !== undefined && !one.not && one.values.length === 1;
  const byResource = matches(queries, 'resource_id', resourceId);
  const byActor = matches(queries, 'actor_id', actorId);
  const indexed = isOne(resourceId) ? byResource : isOne(actorId) ? byActor : [];
  return {
    from: sql.table('audit_entries'),
    key: [sql.ref('audit_id')],
    scope: [
      sql<boolean>`tenant_id = ${tenantId}`,
      ...indexed,
      ...idsWithin('audit_id', ID_PREFIXES.audit, occurred),
    ],
    conditions: [
      ...byResource,
      ...byActor,
      ...matches(queries, 'action', action),
      ...matches(queries, 'actor_type', actorType),
      ...matches(queries, 'resource_type', resourceType),
      ...matches(queries, 'outcome', outcome),
    ],
  };
}

function toAuditEntry(row: Row<'audit_entries'>): AuditEntry {
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
