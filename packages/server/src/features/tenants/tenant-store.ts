import type { Environment } from '@tps/contract';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

export interface Tenant {
  readonly tenantId: TenantId;
  readonly name: string;
  readonly environment: Environment;
  /** Null means the service's own limit. */
  readonly rateLimitPerMinute: number | null;
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

export async function find(queries: ReadQueries, tenantId: string): Promise<Tenant | undefined> {
  const row = await queries.db
    .selectFrom('tenants')
    .select(['tenant_id', 'name', 'environment', 'rate_limit_per_minute'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return (
    row && {
      tenantId: row.tenant_id as TenantId,
      name: row.name,
      environment: row.environment as Environment,
      rateLimitPerMinute: row.rate_limit_per_minute,
    }
  );
}

/** Oldest first. */
export async function list(queries: ReadQueries): Promise<TenantId[]> {
  const rows = await queries.db
    .selectFrom('tenants')
    .select('tenant_id')
    .orderBy('created_at')
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}

export async function setRateLimit(tx: Queries, tenantId: TenantId, perMinute: number | null): Promise<void> {
  await tx.db
    .updateTable('tenants')
    .set({ rate_limit_per_minute: perMinute })
    .where('tenant_id', '=', tenantId)
    .execute();
}
