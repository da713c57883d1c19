import type { Role } from '@tps/contract';
import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { savedViewStore } from '../views/index.ts';
import type { Membership } from './membership.ts';

export async function create(tx: Queries, membership: Membership): Promise<void> {
  const row: Row<'memberships'> = {
    tenant_id: membership.tenantId,
    account_id: membership.accountId,
    role: membership.role,
    created_at: membership.createdAtMs,
    created_by: membership.createdBy,
  };
  await tx.db.insertInto('memberships').values(row).execute();
}

/**
 * Finds a membership and locks it until the transaction ends. Code that gives a member access does this first: a
 * removal then waits, and ends that access too.
 */
export async function findForUpdate(
  tx: Queries,
  tenantId: TenantId,
  accountId: string,
): Promise<Membership | undefined> {
  const row = await forUpdate(tx, byId(tx, tenantId, accountId)).executeTakeFirst();
  return row && toMembership(row);
}

/** Locks the memberships of the admins of a tenant until the transaction ends. See `lockMember`. */
export async function lockAdmins(tx: Queries, tenantId: TenantId): Promise<void> {
  const admins = tx.db
    .selectFrom('memberships')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin' satisfies Role)
    // In one order, so that two transactions do not wait for each other.
    .orderBy('account_id');
  await forUpdate(tx, admins).execute();
}

/** Lists the memberships of an account by tenant, including those of tenants that are being deleted. */
export async function listOf({ db }: ReadQueries, accountId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('memberships')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('tenant_id')
    .execute();
  return rows.map(toMembership);
}

export async function setRole(
  tx: Queries,
  { tenantId, accountId }: Pick<Membership, 'tenantId' | 'accountId'>,
  role: Role,
): Promise<void> {
  await tx.db
    .updateTable('memberships')
    .set({ role })
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .execute();
}

/** Removes a membership, and the views that only this member sees. Returns whether it existed. */
export async function remove(tx: Queries, tenantId: TenantId, accountId: string): Promise<boolean> {
  await savedViewStore.removeUnshared(tx, tenantId, { type: 'account', id: accountId });
  const { numDeletedRows } = await tx.db
    .deleteFrom('memberships')
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function byId({ db }: ReadQueries, tenantId: TenantId, accountId: string) {
  return db
    .selectFrom('memberships')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('account_id', '=', accountId);
}

function toMembership(row: Row<'memberships'>): Membership {
  return {
    tenantId: row.tenant_id as TenantId,
    accountId: row.account_id,
    role: row.role as Role,
    createdAtMs: row.created_at,
    createdBy: row.created_by,
  };
}
