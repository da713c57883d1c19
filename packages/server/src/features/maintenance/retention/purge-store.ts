import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import {
  addCounts,
  type Child,
  type Counts,
  type Key,
  type PurgeTask,
  type Span,
  toCounts,
} from './purge-task.ts';

/** The most rows that one transaction removes, so that events never wait long. */
export const ROWS_PER_TRANSACTION = 1000;

/** Finds the last key of the window that begins after a key; undefined if no rows are left. */
export async function findWindowEnd(
  queries: ReadQueries,
  task: PurgeTask,
  after: Key | undefined,
): Promise<Key | undefined> {
  const query = sql<Record<string, string | number>>`
    select ${columnsOf(task.key)} from ${sql.table(task.table)} as t
    where ${ownedBy(task)} and ${afterKey(task, after)} and ${beforeBound(task)}
    order by ${columnsOf(task.key)} limit ${task.window}`;
  const { rows } = await query.execute(queries.db as never);
  const last = rows.at(-1);
  return last && task.key.map((column) => last[column] ?? '');
}

/** Counts what `purgeExpired` would remove from a span, over all the calls that takes. */
export async function countExpired(queries: ReadQueries, task: PurgeTask, span: Span): Promise<Counts> {
  const { table, children } = task;
  if (children.length === 0) {
    const query = sql<{ total: number }>`
      select count(*) as total from ${sql.table(table)} as t where ${isExpired(task, span)}`;
    const { rows } = await query.execute(queries.db as never);
    return toCounts([[table, Number(rows[0]?.total ?? 0)]]);
  }
  const ids = await listExpired(queries, task, span);
  let counts = toCounts([[table, ids.length]]);
  for (const child of children) {
    const sizes = await countChildren(queries, task, { child, ids });
    counts = addCounts(counts, toCounts([[child.table, sumOf(sizes)]]));
  }
  return counts;
}

/** Removes expired rows of a span, up to the limit of a transaction. Rows that changed in the meantime are kept. */
export async function purgeExpired(
  tx: Queries,
  task: PurgeTask,
  span: Span,
): Promise<{ counts: Counts; isDone: boolean }> {
  if (task.children.length > 0) return purgeFamilies(tx, task, span);
  const query = sql`delete from ${sql.table(task.table)} as t where ${isExpired(task, span)}`;
  const removed = await changedBy(tx, query);
  return { counts: toCounts([[task.table, removed]]), isDone: true };
}

/**
 * Removes rows with their children, as many as fit in one transaction. A family that is too large for that loses children
 * first and is removed by a later call.
 */
async function purgeFamilies(tx: Queries, task: PurgeTask, span: Span) {
  const ids = await listExpired(tx, task, span);
  const sizes = new Map(ids.map((id) => [id, 1]));
  for (const child of task.children) {
    for (const [id, size] of await countChildren(tx, task, { child, ids })) {
      sizes.set(id, (sizes.get(id) ?? 1) + size);
    }
  }
  let total = 0;
  const fitting = ids.filter((id) => {
    total += sizes.get(id) ?? 1;
    return total <= ROWS_PER_TRANSACTION;
  });
  const [first] = ids;
  if (fitting.length === 0 && first !== undefined) {
    return { counts: await purgeSomeChildren(tx, task, first), isDone: false };
  }
  const removed: [string, number][] = [];
  const families = [...task.children, { table: task.table, parent: task.key[0] ?? '' }];
  for (const { table, parent } of families) {
    const query = sql`
      delete from ${sql.table(table)} as t
      where t.tenant_id = ${task.owner} and ${tx.anyOf(sql.ref(`t.${parent}`), fitting)}`;
    removed.push([table, await changedBy(tx, query)]);
  }
  return { counts: toCounts(removed), isDone: fitting.length === ids.length };
}

/** Removes children of one row from the first table that still has some. */
async function purgeSomeChildren(tx: Queries, task: PurgeTask, id: string): Promise<Counts> {
  for (const child of task.children) {
    const own = sql<SqlBool>`t.tenant_id = ${task.owner} and ${sql.ref(`t.${child.parent}`)} = ${id}`;
    const found = await sql<Record<string, string | number>>`
      select ${columnsOf(child.key)} from ${sql.table(child.table)} as t where ${own}
      order by ${columnsOf(child.key)} limit ${ROWS_PER_TRANSACTION}`.execute(tx.db as never);
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

async function listExpired(queries: ReadQueries, task: PurgeTask, span: Span): Promise<string[]> {
  const query = sql<{ id: string }>`
    select ${sql.ref(`t.${task.key[0]}`)} as id from ${sql.table(task.table)} as t
    where ${isExpired(task, span)} order by id`;
  const { rows } = await query.execute(queries.db as never);
  return rows.map((row) => row.id);
}

async function countChildren(
  queries: ReadQueries,
  { owner }: PurgeTask,
  { child, ids }: { child: Child; ids: readonly string[] },
): Promise<Map<string, number>> {
  const parent = sql.ref(`t.${child.parent}`);
  const query = sql<{ id: string; total: number }>`
    select ${parent} as id, count(*) as total from ${sql.table(child.table)} as t
    where t.tenant_id = ${owner} and ${queries.anyOf(parent, ids)} group by ${parent}`;
  const { rows } = await query.execute(queries.db as never);
  return new Map(rows.map((row) => [row.id, Number(row.total)]));
}

function isExpired(task: PurgeTask, { after, until }: Span): RawBuilder<SqlBool> {
  return sql<SqlBool>`${ownedBy(task)} and ${afterKey(task, after)}
    and (${columnsOf(task.key)}) <= (${valuesOf(until)}) and ${beforeBound(task)} and ${task.expired}`;
}

function ownedBy({ owner, within }: PurgeTask): RawBuilder<SqlBool> {
  const others = Object.entries(within).map(([column, value]) => sql`${sql.ref(`t.${column}`)} = ${value}`);
  return sql<SqlBool>`${sql.join([sql`t.tenant_id = ${owner}`, ...others], sql` and `)}`;
}

function afterKey({ key }: PurgeTask, after: Key | undefined): RawBuilder<SqlBool> {
  return after ? sql<SqlBool>`(${columnsOf(key)}) > (${valuesOf(after)})` : sql<SqlBool>`1 = 1`;
}

function beforeBound({ key, bound }: PurgeTask): RawBuilder<SqlBool> {
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
