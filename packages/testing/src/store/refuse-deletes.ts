import type { Database } from '@tps/server/store';
import { sql } from 'kysely';

/** Makes the store refuse to delete rows of a tenant from a table, until the returned function is called. */
export async function refuseDeletes(
  database: Database,
  { table, tenantId }: { table: string; tenantId: string },
): Promise<() => Promise<void>> {
  const name = `refuse_${table}`;
  const run = (...statements: string[]) =>
    database.transaction(async (tx) => {
      for (const statement of statements) await sql.raw(statement).execute(tx.db);
    });
  if (database.engine === 'sqlite') {
    await run(`create trigger ${name} before delete on ${table} when old.tenant_id = '${tenantId}'
      begin select raise(abort, 'refused'); end`);
    return () => run(`drop trigger ${name}`);
  }
  await run(
    `create function ${name}() returns trigger language plpgsql as
      $$ begin if old.tenant_id = '${tenantId}' then raise exception 'refused'; end if; return old; end $$`,
    `create trigger ${name} before delete on ${table} for each row execute function ${name}()`,
  );
  return () => run(`drop trigger ${name} on ${table}`, `drop function ${name}()`);
}
