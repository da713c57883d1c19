import { type Kysely, sql } from 'kysely';

/** Safe beside an older version: it adds indexes, which no query names, and creates one again in the same transaction. */
export async function indexLists(db: Kysely<unknown>): Promise<void> {
  // The expression is that of the list's order, so that both engines use the index for it.
  await sql`create index incidents_by_severity on incidents (
    tenant_id,
    (case severity when 'critical' then 3 when 'high' then 2 when 'medium' then 1 else 0 end),
    incident_id
  )`.execute(db);
  await sql`create index incidents_by_update on incidents (tenant_id, updated_at, incident_id)`.execute(db);
  // Created again, so that it is the newest: of indexes with equal costs, as those of a table without statistics are,
  // PostgreSQL takes the newest. Each commit of events searches this one, and would read all incidents of the tenant.
  await db.schema.dropIndex('incidents_by_correlation').execute();
  await db.schema
    .createIndex('incidents_by_correlation')
    .on('incidents')
    .columns(['tenant_id', 'correlation_key'])
    .execute();
}
