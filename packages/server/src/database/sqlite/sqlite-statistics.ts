import type { Database as SqliteHandle } from 'better-sqlite3';

/** The assumed number of rows of a tenant in each table. */
const ROWS = 1_000_000;

/** The assumed number of rows that share the leading columns of an index; exceptions are listed below. */
const ROWS_PER_VALUE = 20;

/** A bucket holds the nonces of several minutes; a nonce is unique. */
const KNOWN: Readonly<Record<string, string>> = { request_nonces: `${ROWS} ${ROWS} 50000 1 1` };

/**
 * Writes statistics that make the query planner expect many rows per tenant (https://sqlite.org/fileformat2.html#stat1tab).
 * Without statistics it expects ten rows to share the first column of a key, so it reads and filters all rows of the
 * tenant: at 30,000 events, finding 18 ids took 9.8 ms, and takes 37 µs with these. ANALYZE finds nothing in a new store.
 */
export function assumeLargeTenants(handle: SqliteHandle): void {
  const wanted = listWanted(handle);
  // Written once: a store on a full disk must open too.
  if (hasStatistics(handle, wanted)) return;
  // Samples of real values, from an earlier ANALYZE, would take precedence over these statistics.
  handle.exec('drop table if exists sqlite_stat4');
  // Only ANALYZE can create the table of statistics. It runs on a small table to be fast.
  handle.exec('analyze schema_migrations');
  const write = handle.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  handle.transaction(() => {
    handle.exec('delete from sqlite_stat1');
    for (const { tbl, idx, stat } of wanted) write.run(tbl, idx, stat);
  })();
  // This connection reads the statistics now; others read them when they open.
  handle.exec('analyze sqlite_schema');
}

interface Statistics {
  readonly tbl: string;
  readonly idx: string;
  readonly stat: string;
}

function listWanted(handle: SqliteHandle): Statistics[] {
  return listTenantIndexes(handle).map(({ table, index, columns, isUnique }) => {
    const between = Array.from({ length: columns - 2 }, () => ROWS_PER_VALUE);
    const supposed = [ROWS, ROWS, ...between, isUnique ? 1 : ROWS_PER_VALUE].join(' ');
    return { tbl: table, idx: index, stat: KNOWN[index] ?? supposed };
  });
}

function hasStatistics(handle: SqliteHandle, wanted: readonly Statistics[]): boolean {
  const query = "select name from sqlite_schema where name in ('sqlite_stat1', 'sqlite_stat4')";
  const tables = handle
    .prepare<[], { name: string }>(query)
    .all()
    .map(({ name }) => name);
  if (!tables.includes('sqlite_stat1')) return false;
  if (tables.includes('sqlite_stat4')) {
    const sampled = handle.prepare<[], { tbl: string }>('select distinct tbl from sqlite_stat4').all();
    // Written by the ANALYZE above, about a table that no statistics are wanted for.
    if (sampled.some(({ tbl }) => tbl !== 'schema_migrations')) return false;
  }
  const present = handle.prepare<[], Statistics>('select tbl, idx, stat from sqlite_stat1').all();
  const toKeys = (rows: readonly Statistics[]) =>
    rows.map(({ tbl, idx, stat }) => `${tbl} ${idx} ${stat}`).sort();
  return toKeys(present).join() === toKeys(wanted).join();
}

/** The primary key of a table WITHOUT ROWID has the name of its table. */
function listTenantIndexes(handle: SqliteHandle) {
  return handle
    .prepare<[], { table: string; index: string; columns: number; isUnique: number }>(
      `select t.name as "table", case i.origin when 'pk' then t.name else i.name end as "index", i."unique" as isUnique,
         (select count(*) from pragma_index_info(i.name)) as columns
       from sqlite_schema as t, pragma_index_list(t.name) as i
       where t.type = 'table' and (select name from pragma_index_info(i.name) where seqno = 0) = 'tenant_id'
         and (select count(*) from pragma_index_info(i.name)) > 1`,
    )
    .all();
}
