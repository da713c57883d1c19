import type { IncidentAssignee, Role } from '@tps/contract';
import { ROLE_SCOPES, ROLES } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../../database/index.ts';
import type { PageRequest } from '../../../platform/http/page.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';

const WORKING_ROLES = ROLES.filter((role) => ROLE_SCOPES[role].includes('incidents:write'));

/** Lists the members who may change incidents, by account id and so by the age of their accounts. */
export async function list(
  { db }: ReadQueries,
  tenantId: TenantId,
  { after, limit }: PageRequest,
): Promise<IncidentAssignee[]> {
  let query = db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select(['accounts.account_id', 'accounts.name', 'memberships.role'])
    .where('memberships.tenant_id', '=', tenantId)
    .where('memberships.role', 'in', WORKING_ROLES)
    .where('accounts.disabled_at', 'is', null)
    .orderBy('memberships.account_id')
    .limit(limit);
  if (after !== undefined) query = query.where('memberships.account_id', '>', String(after[0]));
  return (await query.execute()).map((row) => ({ ...row, role: row.role as Role }));
}

/** Returns whether an account is a member of the tenant. */
export async function isMember({ db }: ReadQueries, tenantId: TenantId, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}
