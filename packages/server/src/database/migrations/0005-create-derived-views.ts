import { type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** Safe beside an older version: it adds tables that no older version uses. */
export async function createDerivedViews(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createThreats(db, engine);
  await createAlerts(db, engine);
  await createIncidents(db, engine);
}

async function createThreats(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, float64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('threats')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('threat_id', text, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('threat_category', text, (column) => column.notNull())
    .addColumn('confidence', float64, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('detected_at', int64, (column) => column.notNull())
    .addColumn('last_seen_at', int64, (column) => column.notNull())
    .addColumn('description', text)
    .addColumn('indicators', text, (column) => column.notNull())
    .addColumn('event_count', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('threats_pkey', ['tenant_id', 'threat_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('sightings')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('correlation_key', text, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('threat_category', text, (column) => column.notNull())
    .addColumn('threat_id', text, (column) => column.notNull())
    .addColumn('last_seen_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('sightings_pkey', [
      'tenant_id',
      'correlation_key',
      'device_id',
      'threat_category',
    ])
    .modifyEnd(inKeyOrder)
    .execute();
}

async function createAlerts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('alerts')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('alert_id', text, (column) => column.notNull())
    .addColumn('device_id', text, (column) => column.notNull())
    .addColumn('threat_category', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('title', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('event_ids', text, (column) => column.notNull())
    .addColumn('threat_id', text, (column) => column.notNull())
    .addColumn('incident_id', text)
    .addColumn('merge_key', text)
    .addColumn('first_event_at', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('alerts_pkey', ['tenant_id', 'alert_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await sql`create index alerts_open_by_merge_key on alerts (tenant_id, merge_key)
    where status = 'open' and merge_key is not null`.execute(db);
}

async function createIncidents(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  await db.schema
    .createTable('incidents')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('incident_id', text, (column) => column.notNull())
    .addColumn('category', text, (column) => column.notNull())
    .addColumn('correlation_key', text, (column) => column.notNull())
    .addColumn('severity', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('resolution', text)
    .addColumn('assignee', text)
    .addColumn('tags', text, (column) => column.notNull())
    .addColumn('version', int64, (column) => column.notNull())
    .addColumn('created_at', int64, (column) => column.notNull())
    .addColumn('updated_at', int64, (column) => column.notNull())
    .addColumn('last_event_at', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('incidents_pkey', ['tenant_id', 'incident_id'])
    .modifyEnd(inKeyOrder)
    .execute();
  await db.schema
    .createIndex('incidents_by_correlation')
    .on('incidents')
    // Without the time of the last event: it changes with each event, and each change would rewrite the index.
    .columns(['tenant_id', 'correlation_key'])
    .execute();

  await db.schema
    .createTable('incident_members')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('incident_id', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('member_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('incident_members_pkey', ['tenant_id', 'incident_id', 'kind', 'member_id'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema
    .createTable('incident_timeline')
    .addColumn('tenant_id', text, (column) => column.notNull())
    .addColumn('incident_id', text, (column) => column.notNull())
    .addColumn('entry_id', text, (column) => column.notNull())
    .addColumn('at', int64, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('message', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('incident_timeline_pkey', ['tenant_id', 'incident_id', 'entry_id'])
    .modifyEnd(inKeyOrder)
    .execute();
}
