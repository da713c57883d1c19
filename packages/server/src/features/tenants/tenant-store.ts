import type { Environment } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { AuditActor } from '../audit/index.ts';

export interface Tenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly environment: Environment;
  /** Null stands for the limit of the service. */
  readonly rateLimitPerMinute: number | null;
}

/** A tenant as operators see it, including its state of deletion. */
export interface TenantRecord extends Tenant {
  readonly createdAtMs: number;
  /** How many automatic triages may run at a time; null if automatic triage is off. */
  readonly triageAtOnce: number | null;
  /** When it will be deleted permanently; null if it is not being deleted. */
  readonly deleteAfterMs: number | null;
  /** The deletion that an admin has requested. Until it is due, the tenant works as before. */
  readonly requestedDeletion: RequestedDeletion | null;
}

export interface RequestedDeletion {
  readonly dueAtMs: number;
  readonly requestedBy: AuditActor;
}

export async function create(tx: Queries, tenant: Tenant, nowMs: number): Promise<void> {
  await tx.db
    .insertInto('tenants')
    .values({
      tenant_id: tenant.tenantId,
      name: tenant.name,
      environment: tenant.environment,
      rate_limit_per_minute: tenant.rateLimitPerMinute,
      created_at: nowMs,
    })
    .execute();
}

/** Finds a tenant for an HTTP request. A tenant that is being deleted is not found. */
export async function find(queries: ReadQueries, tenantId: string): Promise<Tenant | undefined> {
  const row = await queries.db
    .selectFrom('tenants')
    .select(['tenant_id', 'name', 'environment', 'rate_limit_per_minute'])
    .where('tenant_id', '=', tenantId)
    .where('delete_after', 'is', null)
    .executeTakeFirst();
  return row && toTenant(row);
}

/** Finds a tenant, including one that is being deleted. */
export async function findRecord(queries: ReadQueries, tenantId: string): Promise<TenantRecord | undefined> {
  const row = await byId(queries, tenantId).executeTakeFirst();
  return row && toRecord(row);
}

/** Finds a tenant, including one that is being deleted, and locks it until the transaction ends. */
export async function findRecordForUpdate(tx: Queries, tenantId: string): Promise<TenantRecord | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId)).executeTakeFirst();
  return row && toRecord(row);
}

/** Lists the ids of all tenants, including those that are being deleted, oldest first. */
export async function list(queries: ReadQueries): Promise<TenantId[]> {
  return (await listRecords(queries)).map((tenant) => tenant.tenantId);
}

/** Lists all tenants, including those that are being deleted, oldest first. */
export async function listRecords(queries: ReadQueries): Promise<TenantRecord[]> {
  const rows = await queries.db
    .selectFrom('tenants')
    .selectAll()
    .orderBy('created_at')
    .orderBy('tenant_id')
    .execute();
  return rows.map(toRecord);
}

export async function setRateLimit(tx: Queries, tenantId: TenantId, perMinute: number | null): Promise<void> {
  await tx.db
    .updateTable('tenants')
    .set({ rate_limit_per_minute: perMinute })
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Sets how many automatic triages may run at a time, and optionally the first incident id they apply to. */
export async function setTriage(
  tx: Queries,
  tenantId: TenantId,
  { atOnce, after }: { atOnce: number | null; after: string | undefined },
): Promise<void> {
  await tx.db
    .updateTable('tenants')
    .set({ triage_at_once: atOnce, ...(after === undefined ? {} : { triage_since: after }) })
    .where('tenant_id', '=', tenantId)
    .execute();
}

export async function setDeleteAfter(
  tx: Queries,
  tenantId: TenantId,
  deleteAfterMs: number | null,
): Promise<void> {
  await tx.db
    .updateTable('tenants')
    .set({ delete_after: deleteAfterMs })
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Sets the deletion that an admin has requested; null if none. */
export async function setRequestedDeletion(
  tx: Queries,
  tenantId: TenantId,
  requested: RequestedDeletion | null,
): Promise<void> {
  const by = requested && `${requested.requestedBy.type} ${requested.requestedBy.id}`;
  await tx.db
    .updateTable('tenants')
    .set({ deletion_due_at: requested?.dueAtMs ?? null, deletion_requested_by: by })
    .where('tenant_id', '=', tenantId)
    .execute();
}

/** Lists the tenants whose requested deletion is due and has not begun. */
export async function listRequested(queries: ReadQueries, nowMs: number): Promise<TenantId[]> {
  const rows = await queries.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('deletion_due_at', '<=', nowMs)
    .where('delete_after', 'is', null)
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}

function byId(queries: ReadQueries, tenantId: string) {
  return queries.db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId);
}

function toTenant(
  row: Pick<Row<'tenants'>, 'tenant_id' | 'name' | 'environment' | 'rate_limit_per_minute'>,
): Tenant {
  return {
    tenantId: row.tenant_id as TenantId,
    name: row.name,
    environment: row.environment as Environment,
    rateLimitPerMinute: row.rate_limit_per_minute,
  };
}

function toRecord(row: Row<'tenants'>): TenantRecord {
  return {
    ...toTenant(row),
    createdAtMs: row.created_at,
    triageAtOnce: row.triage_at_once,
    deleteAfterMs: row.delete_after,
    requestedDeletion: toRequestedDeletion(row),
  };
}

function toRequestedDeletion(row: Row<'tenants'>): RequestedDeletion | null {
  if (row.deletion_due_at === null) return null;
  const [type = '', id = ''] = (row.deletion_requested_by ?? '').split(' ');
  return { dueAtMs: row.deletion_due_at, requestedBy: { type: type as AuditActor['type'], id } };
}
