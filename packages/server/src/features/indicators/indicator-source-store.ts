import { forUpdate, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import type { IndicatorSourceRecord } from './indicator-source.ts';
import type { Owner } from './indicator-store.ts';

/** The version and the number of all indicators of an owner. */
export interface IndicatorHead {
  readonly version: number;
  readonly indicators: number;
}

/** Reads and locks the head of an owner, so that concurrent changes run one after the other. */
export async function lockHead(tx: Queries, owner: Owner): Promise<IndicatorHead> {
  const first = { tenant_id: owner, version: 0, indicators: 0 };
  await tx.insertIgnoringConflicts('indicator_heads', ['tenant_id'], [first]);
  const query = tx.db
    .selectFrom('indicator_heads')
    .select(['version', 'indicators'])
    .where('tenant_id', '=', owner);
  return forUpdate(tx, query).executeTakeFirstOrThrow();
}

export async function saveHead(tx: Queries, owner: Owner, head: IndicatorHead): Promise<void> {
  await tx.updateMany('indicator_heads', ['tenant_id'], [{ tenant_id: owner, ...head }]);
}

/** Reads the versions that apply to a tenant's devices. Versions only increase. */
export async function readVersions(
  queries: ReadQueries,
  tenantId: TenantId,
): Promise<{ own: number; global: number }> {
  const rows = await queries.db
    .selectFrom('indicator_heads')
    .select(['tenant_id', 'version'])
    .where('tenant_id', 'in', [tenantId, NO_TENANT])
    .execute();
  const versionOf = (owner: string) => rows.find((row) => row.tenant_id === owner)?.version ?? 0;
  return { own: versionOf(tenantId), global: versionOf(NO_TENANT) };
}

export async function find(
  queries: ReadQueries,
  owner: Owner,
  source: string,
): Promise<IndicatorSourceRecord | undefined> {
  const row = await queries.db
    .selectFrom('indicator_sources')
    .selectAll()
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .executeTakeFirst();
  return row && toRecord(row);
}

/** Lists sources by name, including removed sources that were not purged yet. */
export async function list(queries: ReadQueries, owner: Owner): Promise<IndicatorSourceRecord[]> {
  const rows = await queries.db
    .selectFrom('indicator_sources')
    .selectAll()
    .where('tenant_id', '=', owner)
    .orderBy('source')
    .execute();
  return rows.map(toRecord);
}

export async function save(tx: Queries, owner: Owner, record: IndicatorSourceRecord): Promise<void> {
  const row: Row<'indicator_sources'> = {
    tenant_id: owner,
    source: record.source,
    import_id: record.importId,
    import_number: record.importNumber,
    kept_since: record.keptSince,
    swept_before: record.sweptBefore,
    imported: record.imported,
    indicators: record.indicators,
    updated_at: record.updatedAtMs,
  };
  await tx.upsertMany('indicator_sources', ['tenant_id', 'source'], [row]);
}

export async function remove(tx: Queries, owner: Owner, source: string): Promise<void> {
  await tx.db
    .deleteFrom('indicator_sources')
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .execute();
}

/** Lists the sources of all owners that have rows to purge. */
export async function listUnpurged(queries: ReadQueries): Promise<{ owner: Owner; source: string }[]> {
  const rows = await queries.db
    .selectFrom('indicator_sources')
    .select(['tenant_id', 'source'])
    .whereRef('swept_before', '<', 'kept_since')
    .orderBy('tenant_id')
    .orderBy('source')
    .execute();
  return rows.map((row) => ({ owner: row.tenant_id as Owner, source: row.source }));
}

function toRecord(row: Row<'indicator_sources'>): IndicatorSourceRecord {
  return {
    source: row.source,
    importId: row.import_id,
    importNumber: row.import_number,
    keptSince: row.kept_since,
    sweptBefore: row.swept_before,
    imported: row.imported,
    indicators: row.indicators,
    updatedAtMs: row.updated_at,
  };
}
