import { sql } from 'kysely';
import { type Queries, type ReadQueries, settingsStore } from '../../database/index.ts';
import { TABLE_NAMES, TABLES, type TableName, type Tables } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** The most rows that one transaction removes, so that events of other tenants never wait long. */
const ROWS_PER_TRANSACTION = 1000;
/** Counting stops above this number: enough for an operator to see how much will be deleted. */
export const COUNT_LIMIT = 100_000;

type TenantTable = { [Name in TableName]: 'tenant_id' extends keyof Tables[Name] ? Name : never }[TableName];

/** The tables with data of tenants, in the order in which they are emptied. */
export const TENANT_TABLES: readonly TenantTable[] = TABLE_NAMES.toReversed().filter(isOfTenant);

function isOfTenant(table: TableName): table is TenantTable {
  return 'tenant_id' in TABLES[table].columns;
}

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Counts the rows of a tenant by table, up to `COUNT_LIMIT` + 1 each: counting all rows of a large table would exceed
 * the statement timeout on PostgreSQL. Tables without rows are omitted.
 */
export async function countRows(queries: ReadQueries, tenantId: TenantId): Promise<RowCounts> {
  return countUpTo(queries, tenantId, COUNT_LIMIT + 1);
}

/** Lists the tables that contain rows of a tenant. */
export async function listFilled(queries: ReadQueries, tenantId: TenantId): Promise<string[]> {
  return Object.keys(await countUpTo(queries, tenantId, 1));
}

async function countUpTo(queries: ReadQueries, tenantId: TenantId, most: number): Promise<RowCounts> {
  const counts: [string, number][] = [];
  for (const table of TENANT_TABLES) {
    const query = sql<{ total: number }>`
      select count(*) as total from (
        select 1 from ${sql.table(table)} where tenant_id = ${tenantId} limit ${most}) as counted`;
    const { rows } = await query.execute(queries.db as never);
    counts.push([table, Number(rows[0]?.total ?? 0)]);
  }
  return Object.fromEntries(counts.filter(([, total]) => total > 0));
}

/** Removes up to 1000 rows of a tenant from a table. Returns how many, and whether the table has none left. */
export async function removeSome(
  tx: Queries,
  tenantId: TenantId,
  table: TenantTable,
): Promise<{ removed: number; isEmpty: boolean }> {
  const key = TABLES[table].key.filter((column) => column !== 'tenant_id');
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const own = sql`tenant_id = ${tenantId}`;
  let some = own;
  if (key.length > 0) {
    const last = await sql<Record<string, string | number | Uint8Array>>`
      select ${columns} from ${sql.table(table)} where ${own}
      order by ${columns} limit 1 offset ${ROWS_PER_TRANSACTION - 1}`.execute(tx.db as never);
    const [end] = last.rows;
    if (end) {
      const values = key.map((column) => sql.val(end[column]));
      some = sql`${own} and (${columns}) <= (${sql.join(values)})`;
    }
  }
  const query = sql`delete from ${sql.table(table)} where ${some}`;
  const { numAffectedRows } = await query.execute(tx.db as never);
  const removed = Number(numAffectedRows ?? 0);
  return { removed, isEmpty: removed < ROWS_PER_TRANSACTION };
}

/** On PostgreSQL, the rate limiter counts in the store. Deletes its keys first, in the order in which it locks them. */
export async function forgetRequests(tx: Queries, tenantId: TenantId): Promise<void> {
  if (tx.engine !== 'postgres') return;
  for (const table of ['rate_limit_keys', 'rate_limit_admissions', 'rate_limit_parts']) {
    await sql`delete from ${sql.table(table)} where key = ${`tenant ${tenantId}`}`.execute(tx.db as never);
  }
}

/** Lists the tenants whose grace period is over. */
export async function listDue(queries: ReadQueries, nowMs: number): Promise<TenantId[]> {
  const rows = await queries.db
    .selectFrom('tenants')
    .select('tenant_id')
    .where('delete_after', '<=', nowMs)
    .orderBy('delete_after')
    .orderBy('tenant_id')
    .execute();
  return rows.map((row) => row.tenant_id as TenantId);
}

/** Returns the rows of a tenant that were removed so far. */
export async function readRemoved(queries: ReadQueries, tenantId: TenantId): Promise<RowCounts> {
  const value = await settingsStore.find(queries, toSettingName(tenantId));
  return value === undefined ? {} : (JSON.parse(value) as RowCounts);
}

export async function saveRemoved(tx: Queries, tenantId: TenantId, removed: RowCounts): Promise<void> {
  await settingsStore.save(tx, toSettingName(tenantId), JSON.stringify(removed));
}

export async function forgetRemoved(tx: Queries, tenantId: TenantId): Promise<void> {
  await settingsStore.remove(tx, toSettingName(tenantId));
}

function toSettingName(tenantId: TenantId): string {
  return `removed of ${tenantId}`;
}
