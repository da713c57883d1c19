import type { DataRequest } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { AuditActor } from '../audit/index.ts';
import {
  type DataRequestRecord,
  hasLeftovers,
  type Leftovers,
  NO_LEFTOVERS,
  type RecordCounts,
} from './data-request.ts';
import type { Subject } from './subject.ts';
import type { Key } from './subject-rows-store.ts';

export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  requestId: string,
): Promise<DataRequestRecord | undefined> {
  const row = await byId(queries, tenantId, requestId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a request and locks it until the transaction ends. */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  requestId: string,
): Promise<DataRequestRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, requestId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Newest first. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<DataRequestRecord[]> {
  let query = queries.db
    .selectFrom('data_requests')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('request_id', 'desc')
    .limit(limit);
  if (after !== undefined) query = query.where('request_id', '<', String(after[0]));
  return (await query.execute()).map(toRecord);
}

/** Lists what the service has to work on, in all tenants. */
export async function listRunning({ db }: ReadQueries): Promise<DataRequestRecord[]> {
  const rows = await db
    .selectFrom('data_requests')
    .selectAll()
    .where('subject', 'is not', null)
    .where('status', '=', 'running')
    .orderBy('tenant_id')
    .orderBy('request_id')
    .execute();
  return rows.map(toRecord);
}

/** Counts what the service has to work on for a tenant. */
export async function countRunning({ db }: ReadQueries, tenantId: TenantId): Promise<number> {
  const { count } = await db
    .selectFrom('data_requests')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('subject', 'is not', null)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists exports whose time is over. */
export async function listExpired({ db }: ReadQueries, nowMs: number): Promise<DataRequestRecord[]> {
  const rows = await db
    .selectFrom('data_requests')
    .selectAll()
    .where('subject', 'is not', null)
    .where('status', '=', 'completed')
    .where('expires_at', '<=', nowMs)
    .execute();
  return rows.map(toRecord);
}

/** Ends the exports of the subject and returns their number. Clears the subject, and the search key that can name it. */
export async function endExportsOf(
  tx: Queries,
  tenantId: TenantId,
  { type, value }: Subject,
): Promise<number> {
  const { numUpdatedRows } = await tx.db
    .updateTable('data_requests')
    .set({ status: 'expired', subject: null, stage_key: null })
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'export')
    .where('subject_type', '=', type)
    .where('subject', '=', value)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function create(tx: Queries, request: DataRequestRecord): Promise<void> {
  await tx.insertMany('data_requests', [toRow(request)]);
}

/** Writes every column of a request that the caller has locked. */
export async function save(tx: Queries, request: DataRequestRecord): Promise<void> {
  await tx.updateMany('data_requests', ['tenant_id', 'request_id'], [toRow(request)]);
}

function byId({ db }: ReadQueries, tenantId: TenantId, requestId: string) {
  return db
    .selectFrom('data_requests')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('request_id', '=', requestId);
}

function toRow(request: DataRequestRecord): Row<'data_requests'> {
  const { progress, createdBy } = request;
  return {
    tenant_id: request.tenantId,
    request_id: request.requestId,
    kind: request.kind,
    status: request.status,
    subject_type: request.subjectType,
    subject: request.subject,
    until_position: request.untilPosition,
    stage: progress.stage,
    stage_key: progress.stageKey === undefined ? null : JSON.stringify(progress.stageKey),
    pass: progress.pass,
    found_in_pass: progress.foundInPass,
    leftovers: hasLeftovers(progress) ? JSON.stringify(progress.leftovers) : null,
    records: JSON.stringify(request.counts),
    proof: request.proof,
    created_at: request.createdAtMs,
    created_by: `${createdBy.type} ${createdBy.id}`,
    completed_at: request.completedAtMs,
    expires_at: request.expiresAtMs,
  };
}

function toRecord(row: Row<'data_requests'>): DataRequestRecord {
  const [type = '', id = ''] = row.created_by.split(' ', 2);
  return {
    tenantId: row.tenant_id as TenantId,
    requestId: row.request_id,
    kind: row.kind as DataRequest['kind'],
    status: row.status as DataRequest['status'],
    subjectType: row.subject_type as Subject['type'],
    subject: row.subject,
    untilPosition: row.until_position,
    progress: {
      stage: row.stage,
      stageKey: row.stage_key === null ? undefined : (JSON.parse(row.stage_key) as Key),
      pass: row.pass,
      foundInPass: row.found_in_pass,
      leftovers: row.leftovers === null ? NO_LEFTOVERS : (JSON.parse(row.leftovers) as Leftovers),
    },
    counts: JSON.parse(row.records) as RecordCounts,
    proof: row.proof,
    createdAtMs: row.created_at,
    createdBy: { type: type as AuditActor['type'], id },
    completedAtMs: row.completed_at,
    expiresAtMs: row.expires_at,
  };
}
