import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/**
 * Safe beside an older version: it adds columns that an older version leaves empty, and a table that none uses. Meanwhile, the
 * filter by input does not find the jobs that a node of an older version creates, and such a node leaves the rows of jobs that
 * it purges. The filter joins the jobs, so these rows are never shown.
 */
export async function addTriageDetails(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema.alterTable('incidents').addColumn('acknowledged_at', int64).execute();
  await db.schema.alterTable('incidents').addColumn('resolved_at', int64).execute();
  await db.schema.alterTable('incident_timeline').addColumn('comment', text).execute();

  await db.schema
    .createTable('job_inputs')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('input_ref', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('job_inputs_pkey', ['tenant_id', 'job_id', 'input_ref'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('job_inputs_by_ref')
    .on('job_inputs')
    .columns(['tenant_id', 'input_ref', 'job_id'])
    .execute();
  const refs =
    engine === 'sqlite'
      ? sql`json_each(jobs.input_refs)`
      : sql`jsonb_array_elements_text(jobs.input_refs::jsonb)`;
  await sql`insert into job_inputs (tenant_id, job_id, input_ref)
    select distinct jobs.tenant_id, jobs.job_id, refs.value from jobs, ${refs} as refs`.execute(db);
}
