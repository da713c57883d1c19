import { setImmediate } from 'node:timers/promises';
import { INDICATOR_SEARCH_LENGTH } from '@tps/contract';
import type { Indicator, IndicatorKey, IndicatorMatch } from '@tps/detection/indicators';
import { type SqlBool, sql } from 'kysely';
import { allOf, type Condition, matches, type Queries, type ReadQueries } from '../../database/index.ts';
import type { Row } from '../../database/tables/index.ts';
import type { AnyOf } from '../../platform/list-filters.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';

/** The owner of indicators: a tenant, or no tenant for the global ones. */
export type Owner = TenantId | typeof NO_TENANT;

/** The key of a stored indicator, and the position after which a list by source, type and digest continues. */
export interface StoredIndicatorKey {
  readonly source: string;
  readonly type: string;
  readonly digest: Uint8Array;
}

export interface StoredIndicator extends StoredIndicatorKey {
  readonly indicator: Indicator;
}

export interface IndicatorFilter {
  readonly source?: AnyOf | undefined;
  readonly type?: AnyOf | undefined;
  readonly category?: AnyOf | undefined;
  readonly validity?: { readonly filter: AnyOf; readonly nowMs: number } | undefined;
  /** Beginnings of the value, of which `INDICATOR_SEARCH_LENGTH` characters count. The list is then sorted by value. */
  readonly valuePrefix?: AnyOf | undefined;
}

/** The position of an indicator in a list; with its value in a list that is sorted by value. */
export interface ListPosition extends StoredIndicatorKey {
  readonly value?: string | undefined;
}

/** Keys per query. */
const KEYS_PER_LOOKUP = 500;
/** Rows per insert statement. */
const ROWS_PER_STATEMENT = 200;
const KEY = ['tenant_id', 'source', 'type', 'digest'] as const;

/**
 * Finds the indicators with any of the keys that apply to a tenant at a time, its own and the global ones. Several
 * sources may have the same key; most keys match nothing.
 */
export async function findMatches(
  queries: ReadQueries,
  tenantId: TenantId,
  keys: readonly IndicatorKey[],
  nowMs: number,
): Promise<IndicatorMatch[]> {
  const wanted = new Map(keys.map((key) => [`${key.type} ${key.digest}`, key]));
  const digests = [...new Set(keys.map(({ digest }) => digest))].map((digest) => Buffer.from(digest, 'hex'));
  const matches: IndicatorMatch[] = [];
  for (let at = 0; at < digests.length; at += KEYS_PER_LOOKUP) {
    const some = digests.slice(at, at + KEYS_PER_LOOKUP);
    const rows = await selectCurrent(queries)
      .where('i.tenant_id', 'in', [tenantId, NO_TENANT])
      .where(queries.anyOf(sql.ref('i.digest'), some))
      .where(sql<boolean>`(i.valid_from is null or i.valid_from <= ${nowMs})`)
      .where(sql<boolean>`(i.valid_until is null or i.valid_until > ${nowMs})`)
      .execute();
    for (const row of rows) {
      const key = wanted.get(`${row.type} ${toHex(row.digest)}`);
      if (key) matches.push({ key, indicator: toIndicator(row) });
    }
  }
  return matches;
}

/** Lists indicators by source, type and digest, or by value if the filter has the beginning of one. */
export async function list(
  queries: ReadQueries,
  owner: Owner,
  options: IndicatorFilter & { after: ListPosition | undefined; limit: number },
): Promise<StoredIndicator[]> {
  const { after, limit, valuePrefix, validity, ...filter } = options;
  const conditions = [
    ...matches(queries, 'i.source', filter.source),
    ...matches(queries, 'i.type', filter.type),
    ...matches(queries, 'i.category', filter.category),
    ...(validity === undefined ? [] : [hasValidity(queries, validity)]),
    ...(valuePrefix === undefined ? [] : [beginsWith(valuePrefix)]),
    ...(after === undefined ? [] : [isAfter(after, valuePrefix !== undefined)]),
  ];
  let query = selectCurrent(queries).where('i.tenant_id', '=', owner).where(allOf(conditions)).limit(limit);
  if (valuePrefix !== undefined) query = query.orderBy(SEARCHED);
  query = query.orderBy('i.source').orderBy('i.type').orderBy('i.digest');
  return (await query.execute()).map((row) => ({ ...row, indicator: toIndicator(row) }));
}

/** The beginning of a value, as it is indexed. An index of PostgreSQL cannot hold the longest values. */
const SEARCHED = sql`substr(i.value, 1, ${sql.lit(INDICATOR_SEARCH_LENGTH)})`;
/** Sorts after every other character. */
const LAST_CHARACTER = '\u{10FFFF}';

function beginsWith({ not, values }: AnyOf): Condition {
  const ranges = values.map((value) => {
    const prefix = value.slice(0, INDICATOR_SEARCH_LENGTH);
    return sql<SqlBool>`(${SEARCHED} >= ${prefix} and ${SEARCHED} < ${prefix + LAST_CHARACTER})`;
  });
  const found = sql<SqlBool>`(${sql.join(ranges, sql` or `)})`;
  return not ? sql<SqlBool>`not ${found}` : found;
}

function isAfter({ value = '', source, type, digest }: ListPosition, isByValue: boolean): Condition {
  if (!isByValue) {
    return sql<SqlBool>`(i.source, i.type, i.digest) > (${source}, ${type}, ${digest})`;
  }
  const searched = value.slice(0, INDICATOR_SEARCH_LENGTH);
  return sql<SqlBool>`(${SEARCHED}, i.source, i.type, i.digest) > (${searched}, ${source}, ${type}, ${digest})`;
}

function hasValidity(
  queries: ReadQueries,
  { filter: { not, values }, nowMs }: NonNullable<IndicatorFilter['validity']>,
): Condition {
  const validity = sql`(case when i.valid_until <= ${nowMs} then 'expired'
    when i.valid_from > ${nowMs} then 'upcoming' else 'current' end)`;
  const found = queries.anyOf(validity, values);
  return not ? sql<SqlBool>`not ${found}` : found;
}

/** Finds the indicators of a tenant, its own and the global ones, by type and digest, whether or not they are valid now. */
export async function findAnyByKey(
  queries: ReadQueries,
  tenantId: TenantId,
  keys: readonly IndicatorKey[],
): Promise<Map<string, (StoredIndicator & { scope: 'tenant' | 'global' })[]>> {
  const found = new Map<string, (StoredIndicator & { scope: 'tenant' | 'global' })[]>();
  const digests = [...new Set(keys.map(({ digest }) => digest))].map((digest) => Buffer.from(digest, 'hex'));
  for (let at = 0; at < digests.length; at += KEYS_PER_LOOKUP) {
    const rows = await selectCurrent(queries)
      .where('i.tenant_id', 'in', [tenantId, NO_TENANT])
      .where(queries.anyOf(sql.ref('i.digest'), digests.slice(at, at + KEYS_PER_LOOKUP)))
      .execute();
    for (const row of rows) {
      const key = `${row.type} ${toHex(row.digest)}`;
      const scope = row.tenant_id === NO_TENANT ? 'global' : 'tenant';
      const one = { scope, source: row.source, type: row.type, digest: row.digest } as const;
      found.set(key, [...(found.get(key) ?? []), { ...one, indicator: toIndicator(row) }]);
    }
  }
  return found;
}

/** A stored indicator that an import names again. */
export interface KnownIndicator {
  readonly indicator: Indicator;
  readonly importNumber: number;
}

/** Finds the stored indicators of a source by type and digest, including removed ones that were not purged yet. */
export async function findKnown(
  tx: Queries,
  owner: Owner,
  source: string,
  keys: readonly IndicatorKey[],
): Promise<Map<string, KnownIndicator>> {
  const known = new Map<string, KnownIndicator>();
  for (let at = 0; at < keys.length; at += KEYS_PER_LOOKUP) {
    const digests = keys.slice(at, at + KEYS_PER_LOOKUP).map(({ digest }) => Buffer.from(digest, 'hex'));
    const rows = await tx.db
      .selectFrom('indicators')
      .selectAll()
      .where('tenant_id', '=', owner)
      .where('source', '=', source)
      .where(tx.anyOf('digest', digests))
      .execute();
    for (const row of rows) {
      const { import_number: importNumber } = row;
      known.set(`${row.type} ${toHex(row.digest)}`, { indicator: toIndicator(row), importNumber });
    }
    await setImmediate();
  }
  return known;
}

/**
 * Stores indicators of one source and replaces those with the same keys. It yields between batches: SQLite runs on this
 * thread, and 1000 rows at once blocked all other requests for up to 110 ms in a table of 100,000.
 */
export async function save(
  tx: Queries,
  owner: Owner,
  { indicators, importNumber }: { indicators: ReadonlyMap<IndicatorKey, Indicator>; importNumber: number },
): Promise<void> {
  const rows = [...indicators].map(([key, indicator]) => ({
    tenant_id: owner,
    source: indicator.source,
    type: key.type,
    digest: Buffer.from(key.digest, 'hex'),
    value: indicator.value,
    category: indicator.category,
    threat_type: indicator.threatType,
    confidence: indicator.confidence,
    label: indicator.label ?? null,
    dual_use: indicator.dualUse ? 1 : 0,
    valid_from: indicator.validFromMs ?? null,
    valid_until: indicator.validUntilMs ?? null,
    import_number: importNumber,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    await tx.upsertMany('indicators', KEY, rows.slice(at, at + ROWS_PER_STATEMENT));
    await setImmediate();
  }
}

/** Removes one indicator. Returns the number of the import that last named it; undefined if it does not exist. */
export async function remove(
  tx: Queries,
  owner: Owner,
  source: string,
  { type, digest }: IndicatorKey,
): Promise<number | undefined> {
  const removed = await tx.db
    .deleteFrom('indicators')
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .where('type', '=', type)
    .where('digest', '=', Buffer.from(digest, 'hex'))
    .returning('import_number')
    .executeTakeFirst();
  return removed?.import_number;
}

/**
 * Checks the next `limit` indicators of a source and deletes those last named by imports before a number. Returns the
 * key to continue after, or undefined at the end.
 */
export async function purgeSome(
  tx: Queries,
  owner: Owner,
  { source, before, after, limit }: PurgeRange,
): Promise<StoredIndicatorKey | undefined> {
  let rangeEnd = tx.db
    .selectFrom('indicators')
    .select(['source', 'type', 'digest'])
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .orderBy('type')
    .orderBy('digest')
    .limit(1)
    .offset(limit - 1);
  let leftover = tx.db
    .deleteFrom('indicators')
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .where('import_number', '<', before);
  if (after) {
    const isAfter = sql<boolean>`(type, digest) > (${after.type}, ${after.digest})`;
    rangeEnd = rangeEnd.where(isAfter);
    leftover = leftover.where(isAfter);
  }
  const last = await rangeEnd.executeTakeFirst();
  if (last) leftover = leftover.where(sql<boolean>`(type, digest) <= (${last.type}, ${last.digest})`);
  await leftover.execute();
  return last;
}

export interface PurgeRange {
  readonly source: string;
  readonly before: number;
  readonly after: StoredIndicatorKey | undefined;
  readonly limit: number;
}

/** Selects current indicators. The table may also contain replaced and removed ones that were not purged yet. */
function selectCurrent(queries: ReadQueries) {
  return queries.db
    .selectFrom('indicators as i')
    .innerJoin('indicator_sources as s', (join) =>
      join.onRef('s.tenant_id', '=', 'i.tenant_id').onRef('s.source', '=', 'i.source'),
    )
    .selectAll('i')
    .whereRef('i.import_number', '>=', 's.kept_since');
}

function toIndicator(row: Row<'indicators'>): Indicator {
  return {
    type: row.type as Indicator['type'],
    value: row.value,
    source: row.source,
    category: row.category as Indicator['category'],
    threatType: row.threat_type as Indicator['threatType'],
    confidence: row.confidence,
    ...(row.label === null ? {} : { label: row.label }),
    ...(row.dual_use === 1 ? { dualUse: true } : {}),
    ...(row.valid_from === null ? {} : { validFromMs: row.valid_from }),
    ...(row.valid_until === null ? {} : { validUntilMs: row.valid_until }),
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
