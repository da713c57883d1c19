import { sql } from 'kysely';
import { type Queries, type ReadQueries, settingsStore } from '../../database/index.ts';
import type { Tables } from '../../database/tables/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Rows that one transaction removes: other tenants' events do not wait for long. */
const REMOVED_AT_ONCE = 1000;
/** Counting stops here: enough for a person to see what will be deleted. */
export const COUNT_LIMIT = 100_000;

/**
 * The rest of the key of every table that holds something of tenants, in the order in which they are emptied: children
 * first, credentials and the audit trail late, the tenant itself last. A new table does not compile without its place.
 */
const KEYS = {
  deliveries: ['webhook_id', 'delivery_id'],
  webhook_recoveries: ['webhook_id', 'until_position'],
  webhook_states: ['webhook_id'],
  webhooks: ['webhook_id'],
  artifacts: ['artifact_id'],
  trace_steps: ['trace_id', 'step_id'],
  traces: ['trace_id'],
  jobs: ['job_id'],
  scans: ['scan_id'],
  incident_timeline: ['incident_id', 'entry_id'],
  incident_members: ['incident_id', 'kind', 'member_id'],
  incidents: ['incident_id'],
  alerts: ['alert_id'],
  sightings: ['correlation_key', 'device_id', 'threat_category'],
  threats: ['threat_id'],
  events: ['position'],
  feed_heads: [],
  request_nonces: ['bucket', 'nonce', 'device_id'],
  device_states: ['device_id'],
  devices: ['device_id'],
  policies: ['policy_id'],
  indicators: ['source', 'type', 'digest'],
  indicator_sources: ['source'],
  indicator_heads: [],
  idempotency_keys: ['token_id', 'operation_id', 'idempotency_key'],
  retention_overrides: ['data_class'],
  tokens: ['token_id'],
  audit_entries: ['audit_id'],
  tenants: [],
} as const satisfies Record<Exclude<keyof Tables, InstallationTable>, readonly string[]>;

type InstallationTable = 'schema_migrations' | 'service_settings';
type TenantTable = keyof typeof KEYS;

export const TENANT_TABLES: readonly TenantTable[] = Object.keys(KEYS) as TenantTable[];

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/**
 * Counts the rows of a tenant, of each table one more than `COUNT_LIMIT` at most: to read all of a large one takes longer than
 * PostgreSQL allows a statement. Tables without any are left out.
 */
export async function countRows(queries: ReadQueries, tenantId: TenantId): Promise<RowCounts> {
  return countUpTo(queries, tenantId, COUNT_LIMIT + 1);
}

/** Lists the tables that have rows of a tenant. */
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

/** Removes rows of a tenant from a table, as many as one transaction may. Gives how many, and whether none are left. */
export async function removeSome(
  tx: Queries,
  tenantId: TenantId,
  table: TenantTable,
): Promise<{ removed: number; isEmpty: boolean }> {
  const columns = sql.join(KEYS[table].map((column) => sql.ref(column)));
  const own = sql`tenant_id = ${tenantId}`;
  let some = own;
  if (KEYS[table].length > 0) {
    const last = await sql<Record<string, string | number | Uint8Array>>`
      select ${columns} from ${sql.table(table)} where ${own}
      order by ${columns} limit 1 offset ${REMOVED_AT_ONCE - 1}`.execute(tx.db as never);
    const [end] = last.rows;
    if (end) {
      const values = KEYS[table].map((column: string) => sql.val(end[column]));
      some = sql`${own} and (${columns}) <= (${sql.join(values)})`;
    }
  }
  const query = sql`delete from ${sql.table(table)} where ${some}`;
  const { numAffectedRows } = await query.execute(tx.db as never);
  const removed = Number(numAffectedRows ?? 0);
  return { removed, isEmpty: removed < REMOVED_AT_ONCE };
}

/** On PostgreSQL the limiter counts in the store. Its keys first, as whoever counts takes them first. */
export async function forgetRequests(tx: Queries, tenantId: TenantId): Promise<void> {
  if (tx.engine !== 'postgres') return;
  for (const table of ['rate_limit_keys', 'rate_limit_admissions']) {
    await sql`delete from ${sql.table(table)} where key = ${`tenant ${tenantId}`}`.execute(tx.db as never);
  }
}

/** Lists the tenants whose time is over. */
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

/** Reads what has been removed of a tenant so far. */
export async function readRemoved(queries: ReadQueries, tenantId: TenantId): Promise<RowCounts> {
  const value = await settingsStore.find(queries, settingOf(tenantId));
  return value === undefined ? {} : (JSON.parse(value) as RowCounts);
}

export async function saveRemoved(tx: Queries, tenantId: TenantId, removed: RowCounts): Promise<void> {
  await settingsStore.save(tx, settingOf(tenantId), JSON.stringify(removed));
}

export async function forgetRemoved(tx: Queries, tenantId: TenantId): Promise<void> {
  await settingsStore.remove(tx, settingOf(tenantId));
}

function settingOf(tenantId: TenantId): string {
  return `removed of ${tenantId}`;
}
