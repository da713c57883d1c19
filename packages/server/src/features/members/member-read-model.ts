import type { Member, Role } from '@tps/contract';
import { allOf, matches, type ReadQueries, within } from '../../database/index.ts';
import type { PageRequest } from '../../platform/http/page.ts';
import type { AnyOf, TimeRange } from '../../platform/list-filters.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

interface MemberFilter {
  readonly role: AnyOf<Role> | undefined;
  readonly created: TimeRange;
}

/** Finds a member, with the details of the account. */
export async function find(
  queries: ReadQueries,
  tenantId: TenantId,
  accountId: string,
): Promise<Member | undefined> {
  const row = await select(queries, tenantId)
    .where('memberships.account_id', '=', accountId)
    .executeTakeFirst();
  return row && toMember(row);
}

/** Lists the members of a tenant by account id, and so by the age of their accounts. */
export async function list(
  queries: ReadQueries,
  tenantId: TenantId,
  { filter, page: { after, limit } }: { filter: MemberFilter; page: PageRequest },
): Promise<Member[]> {
  const conditions = [
    ...matches(queries, 'memberships.role', filter.role),
    ...within('memberships.created_at', filter.created),
  ];
  let query = select(queries, tenantId).orderBy('memberships.account_id').limit(limit);
  if (conditions.length > 0) query = query.where(allOf(conditions));
  if (after !== undefined) query = query.where('memberships.account_id', '>', String(after[0]));
  return (await query.execute()).map(toMember);
}

/** Returns whether a tenant has another admin whose account is not disabled. */
export async function hasOtherAdmin(
  { db }: ReadQueries,
  tenantId: TenantId,
  accountId: string,
): Promise<boolean> {
  const other = await db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select('memberships.account_id')
    .where('memberships.tenant_id', '=', tenantId)
    .where('memberships.role', '=', 'admin' satisfies Role)
    .where('memberships.account_id', '!=', accountId)
    .where('accounts.disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

function select({ db }: ReadQueries, tenantId: TenantId) {
  return db
    .selectFrom('memberships')
    .innerJoin('accounts', 'accounts.account_id', 'memberships.account_id')
    .select((row) => [
      'memberships.tenant_id',
      'memberships.account_id',
      'memberships.role',
      'memberships.created_at',
      'memberships.created_by',
      'accounts.email',
      'accounts.email_verified_at',
      'accounts.name',
      row
        .selectFrom('account_sessions')
        .select((session) => session.fn.max('seen_at').as('seen_at'))
        .whereRef('account_sessions.account_id', '=', 'memberships.account_id')
        .as('seen_at'),
      row
        .selectFrom('account_totp')
        .select((totp) => totp.fn.max('confirmed_at').as('confirmed_at'))
        .whereRef('account_totp.account_id', '=', 'memberships.account_id')
        .as('confirmed_at'),
      row
        .selectFrom('account_passkeys')
        .select((passkey) => passkey.fn.max('created_at').as('created_at'))
        .whereRef('account_passkeys.account_id', '=', 'memberships.account_id')
        .as('passkey_at'),
    ])
    .where('memberships.tenant_id', '=', tenantId);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

function toMember(row: Row): Member {
  return {
    account_id: row.account_id,
    tenant_id: row.tenant_id,
    email: row.email,
    email_verified: row.email_verified_at !== null,
    name: row.name,
    role: row.role as Role,
    created_at: toTimestamp(row.created_at),
    created_by: row.created_by,
    last_seen_at: toOptionalTimestamp(row.seen_at),
    has_second_factor: row.confirmed_at !== null || row.passkey_at !== null,
  };
}
