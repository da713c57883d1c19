import type { Database as SqliteHandle } from 'better-sqlite3';

/** Rows that a tenant is taken to have in every table. */
const ROWS = 1_000_000;

/** Rows that are taken to share the leading columns of an index, where it does not say otherwise below. */
const ROWS_PER_VALUE = 20;

/** A bucket holds the nonces of minutes; one nonce is nobody else's. */
const KNOWN: Readonly<Record<string, string>> = { request_nonces: `${ROWS} ${ROWS} 50000 1 1` };

/**
 * Tells the query planner that a tenant has many rows (https://sqlite.org/fileformat2.html#stat1tab). Without statistics
 * it takes ten rows to share the first column of a key, and so reads all rows of the tenant and filters: at 30 000 events,
 * looking up 18 ids took 9.8 ms, and takes 37 µs with these. ANALYZE would find them on a full store, and nothing on a new one.
 */
export function assumeLargeTenants(handle: SqliteHandle): void {
  // Samples of real values, should anyone have run ANALYZE, would outweigh what is told here.
  handle.exec('drop table if exists sqlite_stat4');
  // Makes the table of statistics, which nothing else may do. A small table, so that it takes no time.
  handle.exec('analyze schema_migrations');
  const write = handle.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)');
  handle.transaction(() => {
    handle.exec('delete from sqlite_stat1');
    for (const { table, index, columns, isUnique } of listTenantIndexes(handle)) {
      const between = Array.from({ length: columns - 2 }, () => ROWS_PER_VALUE);
      const supposed = [ROWS, ROWS, ...between, isUnique ? 1 : ROWS_PER_VALUE].join(' ');
      write.run(table, index, KNOWN[index] ?? supposed);
    }
  })();
  // This connection reads them now, others when they open.
  handle.exec('analyze sqlite_schema');
}

/** The primary key of a table WITHOUT ROWID goes by the name of its table. */
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
