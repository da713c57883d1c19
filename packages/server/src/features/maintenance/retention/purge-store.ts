import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import {
  addCounts,
  type Child,
  type Counts,
  type Key,
  type Span,
  type Sweep,
  toCounts,
} from './purge-task.ts';

/** Rows that one transaction removes: nobody's events wait for long. */
export const REMOVED_AT_ONCE = 1000;

/** Finds the last key of the window that begins after a key; undefined when there is none left. */
export async function findWindowEnd(
  queries: ReadQueries,
  sweep: Sweep,
  after: Key | undefined,
): Promise<Key | undefined> {
  const query = sql<Record<string, string | number>>`
    select ${columnsOf(sweep.key)} from ${sql.table(sweep.table)} as t
    where ${ownedBy(sweep)} and ${afterKey(sweep, after)} and ${beforeBound(sweep)}
    order by ${columnsOf(sweep.key)} limit ${sweep.window}`;
  const { rows } = await query.execute(queries.db as never);
  const last = rows.at(-1);
  return last && sweep.key.map((column) => last[column] ?? '');
}

/** Counts what `removeOutdated` would remove of a span in the end, however many calls that takes. */
export async function countOutdated(queries: ReadQueries, sweep: Sweep, span: Span): Promise<Counts> {
  const { table, children } = sweep;
  if (children.length === 0) {
    const query = sql<{ total: number }>`
      select count(*) as total from ${sql.table(table)} as t where ${isOutdated(sweep, span)}`;
    const { rows } = await query.execute(queries.db as never);
    return toCounts([[table, Number(rows[0]?.total ?? 0)]]);
  }
  const ids = await listOutdated(queries, sweep, span);
  let counts = toCounts([[table, ids.length]]);
  for (const child of children) {
    const sizes = await countChildren(queries, sweep, { child, ids });
    counts = addCounts(counts, toCounts([[child.table, sumOf(sizes)]]));
  }
  return counts;
}

/** Removes what is outdated in a span, or as much of it as one transaction may. What has grown young meanwhile stays. */
export async function removeOutdated(
  tx: Queries,
  sweep: Sweep,
  span: Span,
): Promise<{ counts: Counts; isDone: boolean }> {
  if (sweep.children.length > 0) return removeFamilies(tx, sweep, span);
  const query = sql`delete from ${sql.table(sweep.table)} as t where ${isOutdated(sweep, span)}`;
  const removed = await changedBy(tx, query);
  return { counts: toCounts([[sweep.table, removed]]), isDone: true };
}

/** Removes whole families, as many as fit in. One that is too large by itself loses children, and goes a later time. */
async function removeFamilies(tx: Queries, sweep: Sweep, span: Span) {
  const ids = await listOutdated(tx, sweep, span);
  const sizes = new Map(ids.map((id) => [id, 1]));
  for (const child of sweep.children) {
    for (const [id, size] of await countChildren(tx, sweep, { child, ids })) {
      sizes.set(id, (sizes.get(id) ?? 1) + size);
    }
  }
  let total = 0;
  const fitting = ids.filter((id) => {
    total += sizes.get(id) ?? 1;
    return total <= REMOVED_AT_ONCE;
  });
  const [first] = ids;
  if (fitting.length === 0 && first !== undefined) {
    return { counts: await removeSomeChildren(tx, sweep, first), isDone: false };
  }
  const removed: [string, number][] = [];
  const families = [...sweep.children, { table: sweep.table, parent: sweep.key[0] ?? '' }];
  for (const { table, parent } of families) {
    const query = sql`
      delete from ${sql.table(table)} as t
      where t.tenant_id = ${sweep.owner} and ${tx.anyOf(sql.ref(`t.${parent}`), fitting)}`;
    removed.push([table, await changedBy(tx, query)]);
  }
  return { counts: toCounts(removed), isDone: fitting.length === ids.length };
}

/** Removes children of one row from the first table that still has some. */
async function removeSomeChildren(tx: Queries, sweep: Sweep, id: string): Promise<Counts> {
  for (const child of sweep.children) {
    const own = sql<SqlBool>`t.tenant_id = ${sweep.owner} and ${sql.ref(`t.${child.parent}`)} = ${id}`;
    const found = await sql<Record<string, string | number>>`
      select ${columnsOf(child.key)} from ${sql.table(child.table)} as t where ${own}
      order by ${columnsOf(child.key)} limit ${REMOVED_AT_ONCE}`.execute(tx.db as never);
    const last = found.rows.at(-1);
    if (!last) continue;
    const end = child.key.map((column) => last[column] ?? '');
    const query = sql`
      delete from ${sql.table(child.table)} as t
      where ${own} and (${columnsOf(child.key)}) <= (${valuesOf(end)})`;
    return toCounts([[child.table, await changedBy(tx, query)]]);
  }
  return {};
}

async function listOutdated(queries: ReadQueries, sweep: Sweep, span: Span): Promise<string[]> {
  const query = sql<{ id: string }>`
    select ${sql.ref(`t.${sweep.key[0]}`)} as id from ${sql.table(sweep.table)} as t
    where ${isOutdated(sweep, span)} order by id`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => row.id);
}

async function countChildren(
  queries: ReadQueries,
  { owner }: Sweep,
  { child, ids }: { child: Child; ids: readonly string[] },
): Promise<Map<string, number>> {
  const parent = sql.ref(`t.${child.parent}`);
  const query = sql<{ id: string; total: number }>`
    select ${parent} as id, count(*) as total from ${sql.table(child.table)} as t
    where t.tenant_id = ${owner} and ${queries.anyOf(parent, ids)} group by ${parent}`;
  const { rows } = await query.execute(queries.db as never);
  return new Map(rows.map((row) => [row.id, Number(row.total)]));
}

function isOutdated(sweep: Sweep, { after, until }: Span): RawBuilder<SqlBool> {
  return sql<SqlBool>`${ownedBy(sweep)} and ${afterKey(sweep, after)}
    and (${columnsOf(sweep.key)}) <= (${valuesOf(until)}) and ${beforeBound(sweep)} and ${sweep.outdated}`;
}

function ownedBy({ owner, within }: Sweep): RawBuilder<SqlBool> {
  const others = Object.entries(within).map(([column, value]) => sql`${sql.ref(`t.${column}`)} = ${value}`);
  return sql<SqlBool>`${sql.join([sql`t.tenant_id = ${owner}`, ...others], sql` and `)}`;
}

function afterKey({ key }: Sweep, after: Key | undefined): RawBuilder<SqlBool> {
  return after ? sql<SqlBool>`(${columnsOf(key)}) > (${valuesOf(after)})` : sql<SqlBool>`1 = 1`;
}

function beforeBound({ key, bound }: Sweep): RawBuilder<SqlBool> {
  return bound ? sql<SqlBool>`(${columnsOf(key)}) < (${valuesOf(bound)})` : sql<SqlBool>`1 = 1`;
}

function columnsOf(key: readonly string[]): RawBuilder<unknown> {
  return sql.join(key.map((column) => sql.ref(`t.${column}`)));
}

function valuesOf(key: Key): RawBuilder<unknown> {
  return sql.join(key.map((value) => sql.val(value)));
}

async function changedBy(tx: Queries, query: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await query.execute(tx.db as never);
  return Number(numAffectedRows ?? 0);
}

function sumOf(sizes: ReadonlyMap<string, number>): number {
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
