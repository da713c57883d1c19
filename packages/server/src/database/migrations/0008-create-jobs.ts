import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables, columns and indexes that an older version does not need. */
export async function createJobs(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('jobs')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('workflow_id', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('trace_id', text, (column) => column.notNull())
    .addColumn('input_refs', text, (column) => column.notNull())
    .addColumn('artifact_refs', text, (column) => column.notNull())
    .addColumn('max_runs', int64, (column) => column.notNull())
    .addColumn('run_count', int64, (column) => column.notNull())
    .addColumn('next_step', text)
    .addColumn('review', text)
    .addColumn('reviewed_by', text)
    .addColumn('error_code', text)
    .addColumn('subject_id', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('version', int64, (column) => column.notNull())
    .addColumn('due_at', int64)
    .addColumn('leased_by', text)
    .addColumn('claims', int64, (column) => column.notNull())
    .addColumn('fruitless_claims', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('jobs_pkey', ['tenant_id', 'job_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  // Both indexes hold few rows: pending work, and jobs that started automatically.
  await sql`create index jobs_due on jobs (tenant_id, due_at) where due_at is not null`.execute(db);
  await sql`create unique index jobs_by_subject on jobs (tenant_id, subject_id) where subject_id is not null`.execute(
    db,
  );

  await createTraces(db, engine);
  await createArtifacts(db, engine);
  await addTriageSearches(db, engine);
}

async function createTraces(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('traces')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('trace_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('run', int64, (column) => column.notNull())
    .addColumn('input_refs', text, (column) => column.notNull())
    .addColumn('final_status', text)
    .addColumn('created_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('traces_pkey', ['tenant_id', 'trace_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema.createIndex('traces_by_job').on('traces').columns(['tenant_id', 'job_id']).execute();

  await db.schema
    .createTable('trace_steps')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('trace_id', text, (column) => column.notNull())
    .addColumn('step_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('run', int64, (column) => column.notNull())
    .addColumn('step_type', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('error_code', text)
    .addColumn('guardrail_result', text, (column) => column.notNull())
    .addColumn('started_at', int64)
    .addColumn('finished_at', int64)
    .addColumn('output', text)
    .addPrimaryKeyConstraint('trace_steps_pkey', ['tenant_id', 'trace_id', 'step_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('trace_steps_by_job')
    .on('trace_steps')
    .columns(['tenant_id', 'job_id', 'step_id'])
    .execute();
}

async function createArtifacts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('artifacts')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('artifact_id', text, (column) => column.notNull())
    .addColumn('job_id', text, (column) => column.notNull())
    .addColumn('trace_id', text, (column) => column.notNull())
    .addColumn('step_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('media_type', text, (column) => column.notNull())
    .addColumn('size_bytes', int64, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('artifacts_pkey', ['tenant_id', 'artifact_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('artifacts_by_job')
    .on('artifacts')
    .columns(['tenant_id', 'job_id', 'artifact_id'])
    .execute();

  await db.schema
    .createTable('scans')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('scan_id', text, (column) => column.notNull())
    .addColumn('result', text, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('scans_pkey', ['tenant_id', 'scan_id'])
    .modifyEnd(inKeyOrder)
    .execute();
}

/** Indexes for triage: the events of a device, and how earlier incidents about the same indicator were resolved. */
async function addTriageSearches(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64 } = columnTypes(engine);
  await db.schema
    .createIndex('events_by_device')
    .on('events')
    .columns(['tenant_id', 'device_id', 'position'])
    .execute();
  await sql`create index incidents_false on incidents (tenant_id, incident_id)
    where resolution = 'false_positive'`.execute(db);
  // Unresolved incidents only: few of all incidents.
  await sql`create index incidents_unresolved on incidents (tenant_id, incident_id)
    where status in ('open', 'in_progress', 'on_hold')`.execute(db);
  await db.schema.alterTable('tenants').addColumn('triage_at_once', int64).execute();
  await db.schema.alterTable('tenants').addColumn('triage_since', text).execute();
}
