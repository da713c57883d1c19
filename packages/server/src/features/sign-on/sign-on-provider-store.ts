import type { Role } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import type { SignOnProvider } from './sign-on-provider.ts';

export async function find(queries: ReadQueries, tenantId: TenantId): Promise<SignOnProvider | undefined> {
  const row = await byTenant(queries, tenantId).executeTakeFirst();
  return row && toProvider(row);
}

/** Finds the provider of a tenant and locks it until the transaction ends. */
export async function findForUpdate(tx: Queries, tenantId: TenantId): Promise<SignOnProvider | undefined> {
  const row = await forUpdate(tx, byTenant(tx, tenantId)).executeTakeFirst();
  return row && toProvider(row);
}

/** Lists the tenants whose secret is sealed under another key than this one. There is one provider per tenant. */
export async function listOutsideKey({ db }: ReadQueries, keyId: string): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('sign_on_providers')
    .select('tenant_id')
    .where('sealed_under', '!=', keyId)
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}

/** Counts the secrets that are sealed under none of these keys. */
export async function countOutsideKeys(queries: ReadQueries, keyIds: readonly string[]): Promise<number> {
  const { total } = await queries.db
    .selectFrom('sign_on_providers')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('sealed_under', 'is not', null)
    .where((row) => row.not(queries.anyOf('sealed_under', keyIds)))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function save(tx: Queries, tenantId: TenantId, provider: SignOnProvider): Promise<void> {
  const row: Row<'sign_on_providers'> = {
    tenant_id: tenantId,
    issuer: provider.issuer,
    client_id: provider.clientId,
    sealed_under: provider.secret?.keyId ?? null,
    sealed_secret: provider.secret?.bytes ?? null,
    allowed_domains: JSON.stringify(provider.allowedDomains),
    trusts_email: provider.trustsEmail ? 1 : 0,
    extra_scopes: JSON.stringify(provider.extraScopes),
    role_claim: provider.roleClaim,
    role_map: JSON.stringify(provider.roleMap),
    default_role: provider.defaultRole,
    create_members: provider.createMembers ? 1 : 0,
    is_required: provider.isRequired ? 1 : 0,
    created_at: provider.createdAtMs,
    updated_at: provider.updatedAtMs,
    updated_by: provider.updatedBy,
  };
  await tx.upsertMany('sign_on_providers', ['tenant_id'], [row]);
}

export async function remove(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.db.deleteFrom('sign_on_providers').where('tenant_id', '=', tenantId).execute();
}

function byTenant({ db }: ReadQueries, tenantId: TenantId) {
  return db.selectFrom('sign_on_providers').selectAll().where('tenant_id', '=', tenantId);
}

function toProvider(row: Row<'sign_on_providers'>): SignOnProvider {
  const { sealed_under: keyId, sealed_secret: bytes } = row;
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    secret: keyId === null || bytes === null ? null : { keyId, bytes: Buffer.from(bytes) },
    allowedDomains: JSON.parse(row.allowed_domains) as string[],
    trustsEmail: row.trusts_email === 1,
    extraScopes: JSON.parse(row.extra_scopes) as string[],
    roleClaim: row.role_claim,
    roleMap: JSON.parse(row.role_map) as { value: string; role: Role }[],
    defaultRole: row.default_role as Role | null,
    createMembers: row.create_members === 1,
    isRequired: row.is_required === 1,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    updatedBy: row.updated_by,
  };
}
