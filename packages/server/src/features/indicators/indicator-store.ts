import { setImmediate } from 'node:timers/promises';
import type { Indicator, IndicatorKey, IndicatorMatch } from '@tps/detection/indicators';
import { type Selectable, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../database/index.ts';
import type { IndicatorsTable } from '../../database/tables/index.ts';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';

/** Whose indicators: a tenant's own, or those that hold for all. */
export type Owner = TenantId | typeof NO_TENANT;

/** Where in the order by source, type and digest a read goes on. */
export interface StoredIndicatorKey {
  readonly source: string;
  readonly type: string;
  readonly digest: Uint8Array;
}

export interface StoredIndicator extends StoredIndicatorKey {
  readonly indicator: Indicator;
}

export interface IndicatorFilter {
  readonly source?: string | undefined;
  readonly type?: string | undefined;
  readonly category?: string | undefined;
}

/** Keys that one statement looks for. */
const KEYS_PER_LOOKUP = 500;
/** Indicators that one statement stores. */
const ROWS_PER_STATEMENT = 200;
const KEY = ['tenant_id', 'source', 'type', 'digest'] as const;

/**
 * Finds the indicators that hold for a tenant at a time, its own and those for all, under any of the keys. A key may have
 * several, from several sources, and most have none.
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
    const rows = await inForce(queries)
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

/** Lists by source, type and digest, whether or not they are valid at present. */
export async function list(
  queries: ReadQueries,
  owner: Owner,
  { after, limit, ...filter }: IndicatorFilter & { after: StoredIndicatorKey | undefined; limit: number },
): Promise<StoredIndicator[]> {
  let query = inForce(queries)
    .where('i.tenant_id', '=', owner)
    .orderBy('i.source')
    .orderBy('i.type')
    .orderBy('i.digest')
    .limit(limit);
  if (filter.source !== undefined) query = query.where('i.source', '=', filter.source);
  if (filter.type !== undefined) query = query.where('i.type', '=', filter.type);
  if (filter.category !== undefined) query = query.where('i.category', '=', filter.category);
  if (after !== undefined) {
    const { source, type, digest } = after;
    query = query.where(sql<boolean>`(i.source, i.type, i.digest) > (${source}, ${type}, ${digest})`);
  }
  return (await query.execute()).map((row) => ({ ...row, indicator: toIndicator(row) }));
}

/** What an import finds of what it is about to store. */
export interface KnownIndicator {
  readonly indicator: Indicator;
  readonly importNumber: number;
}

/** Reads what a source has under some keys, by type and digest, also what is removed but not yet swept. */
export async function readKnown(
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
 * Stores indicators of one source, in place of what it says under their keys so far. Some at a time: an embedded store works
 * on this thread, and a thousand at once took it up to 110 ms in a table of 100,000, in which nobody else was answered.
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

/** Removes one indicator. Gives the import that had named it last; undefined when there was none. */
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
 * Walks the next `limit` indicators of a source and takes those of imports before a number out of the table. Gives where
 * to go on, or undefined at the end.
 */
export async function purgeSome(
  tx: Queries,
  owner: Owner,
  { source, before, after, limit }: PurgeStretch,
): Promise<StoredIndicatorKey | undefined> {
  let stretch = tx.db
    .selectFrom('indicators')
    .select(['source', 'type', 'digest'])
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .orderBy('type')
    .orderBy('digest')
    .limit(1)
    .offset(limit - 1);
  let dead = tx.db
    .deleteFrom('indicators')
    .where('tenant_id', '=', owner)
    .where('source', '=', source)
    .where('import_number', '<', before);
  if (after) {
    const isAfter = sql<boolean>`(type, digest) > (${after.type}, ${after.digest})`;
    stretch = stretch.where(isAfter);
    dead = dead.where(isAfter);
  }
  const last = await stretch.executeTakeFirst();
  if (last) dead = dead.where(sql<boolean>`(type, digest) <= (${last.type}, ${last.digest})`);
  await dead.execute();
  return last;
}

export interface PurgeStretch {
  readonly source: string;
  readonly before: number;
  readonly after: StoredIndicatorKey | undefined;
  readonly limit: number;
}

/** Those that count: an import that replaced its source, or a removal, may have left others behind that are not swept yet. */
function inForce(queries: ReadQueries) {
  return queries.db
    .selectFrom('indicators as i')
    .innerJoin('indicator_sources as s', (join) =>
      join.onRef('s.tenant_id', '=', 'i.tenant_id').onRef('s.source', '=', 'i.source'),
    )
    .selectAll('i')
    .whereRef('i.import_number', '>=', 's.kept_since');
}

function toIndicator(row: Selectable<IndicatorsTable>): Indicator {
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
