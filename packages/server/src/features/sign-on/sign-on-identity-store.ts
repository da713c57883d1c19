import type { Queries, ReadQueries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** A person as a provider knows them. Subjects are unique within their issuer only. */
export interface Identity {
  readonly tenantId: TenantId;
  readonly issuer: string;
  readonly subject: string;
}

/** Finds the account that a person of a tenant's provider uses. */
export async function findAccountId(
  { db }: ReadQueries,
  { tenantId, issuer, subject }: Identity,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('sign_on_identities')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.account_id;
}

/** Records which account a person uses, and when. */
export async function save(
  tx: Queries,
  identity: Identity & { readonly accountId: string },
  nowMs: number,
): Promise<void> {
  const row = {
    tenant_id: identity.tenantId,
    issuer: identity.issuer,
    subject: identity.subject,
    account_id: identity.accountId,
    created_at: nowMs,
    used_at: nowMs,
  };
  const created = await tx.insertIgnoringConflicts(
    'sign_on_identities',
    ['tenant_id', 'issuer', 'subject'],
    [row],
  );
  if (created.length > 0) return;
  const { created_at: _kept, ...used } = row;
  await tx.updateMany('sign_on_identities', ['tenant_id', 'issuer', 'subject'], [used]);
}

/** Lists the identities of an account. */
export async function listOf({ db }: ReadQueries, accountId: string): Promise<Identity[]> {
  const rows = await db
    .selectFrom('sign_on_identities')
    .select(['tenant_id', 'issuer', 'subject'])
    .where('account_id', '=', accountId)
    .orderBy('tenant_id')
    .orderBy('issuer')
    .orderBy('subject')
    .execute();
  return rows.map((row) => ({
    tenantId: row.tenant_id as TenantId,
    issuer: row.issuer,
    subject: row.subject,
  }));
}

export async function removeOfTenant(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.db.deleteFrom('sign_on_identities').where('tenant_id', '=', tenantId).execute();
}

/** Deletes the links between the people of providers and an account. */
export async function removeOfAccount(tx: Queries, accountId: string): Promise<void> {
  await tx.db.deleteFrom('sign_on_identities').where('account_id', '=', accountId).execute();
}
