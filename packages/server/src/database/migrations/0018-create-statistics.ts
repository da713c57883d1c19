import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { columnTypes } from '../column-types.ts';
import type { Engine } from '../engine.ts';

/** One column per value that is counted: an hour is one row, which one statement increases. */
const COUNTS = {
  event_statistics: [
    'category_phone_scam',
    'category_social_engineering',
    'category_malicious_app',
    'category_phishing',
    'category_remote_control',
    'category_deepfake',
    'action_allow',
    'action_warn',
    'action_block',
    'severity_low',
    'severity_medium',
    'severity_high',
    'severity_critical',
    'platform_ios',
    'platform_android',
    'platform_windows',
    'platform_macos',
    'platform_linux',
    'platform_unknown',
    'corrections',
    'devices',
    'devices_of_day',
    'alerts_phone_scam',
    'alerts_social_engineering',
    'alerts_malicious_app',
    'alerts_phishing',
    'alerts_remote_control',
    'alerts_deepfake',
  ],
  incident_statistics: [
    'opened_phone_scam',
    'opened_social_engineering',
    'opened_malicious_app',
    'opened_phishing',
    'opened_remote_control',
    'opened_deepfake',
    'opened_device_integrity',
    'opened_monitoring',
    'opened_campaign',
    'resolved_phone_scam',
    'resolved_social_engineering',
    'resolved_malicious_app',
    'resolved_phishing',
    'resolved_remote_control',
    'resolved_deepfake',
    'resolved_device_integrity',
    'resolved_monitoring',
    'resolved_campaign',
    'acknowledged_in_5m',
    'acknowledged_in_15m',
    'acknowledged_in_1h',
    'acknowledged_in_4h',
    'acknowledged_in_1d',
    'acknowledged_in_3d',
    'acknowledged_in_7d',
    'acknowledged_in_longer',
    'resolved_in_5m',
    'resolved_in_15m',
    'resolved_in_1h',
    'resolved_in_4h',
    'resolved_in_1d',
    'resolved_in_3d',
    'resolved_in_7d',
    'resolved_in_longer',
    'acknowledge_ms',
    'resolve_ms',
  ],
  delivery_statistics: ['delivered', 'failed', 'dead'],
  scan_statistics: ['verdict_allow', 'verdict_warn', 'verdict_block'],
};

/**
 * Safe beside an older version: it adds tables that no older version uses, and columns that may be null. Nodes of an older
 * version do not count what they store; `tps statistics rebuild` counts it when the last of them has ended.
 */
export async function createStatistics(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const { text, int64, inKeyOrder } = columnTypes(engine);
  for (const [table, columns] of Object.entries(COUNTS)) {
    let counts: CreateTableBuilder<string, string> = db.schema
      .createTable(table)
      .addColumn('tenant_id', text, (column) => column.notNull())
      .addColumn('hour', int64, (column) => column.notNull());
    for (const name of columns) {
      counts = counts.addColumn(name, int64, (column) => column.notNull().defaultTo(0));
    }
    await counts
      .addPrimaryKeyConstraint(`${table}_pkey`, ['tenant_id', 'hour'])
      .modifyEnd(inKeyOrder)
      .execute();
  }
  await db.schema
    .createTable('service_statistics')
    .addColumn('day', int64, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('count', int64, (column) => column.notNull())
    .addPrimaryKeyConstraint('service_statistics_pkey', ['day', 'name'])
    .modifyEnd(inKeyOrder)
    .execute();

  await db.schema.alterTable('incidents').addColumn('first_resolved_at', int64).execute();
  // From the timeline, whose entries begin with the change of status. A comment, which may have such words, comes last.
  await sql`update incidents set first_resolved_at = (
    select min(t.at) from incident_timeline t
    where t.tenant_id = incidents.tenant_id and t.incident_id = incidents.incident_id and (
      t.kind = 'changed' and t.message like 'Status from open to resolved%'
      or t.kind = 'changed' and t.message like 'Status from in_progress to resolved%'
      or t.kind = 'changed' and t.message like 'Status from on_hold to resolved%'
      or t.kind = 'changed' and t.message like 'Status from open to closed%'
      or t.kind = 'correction' and t.message like '%. Status from % to resolved%'
    )
  )`.execute(db);
  await db.schema.alterTable('device_states').addColumn('last_event_at', int64).execute();
  // A device that was seen today is not counted a second time today.
  await sql`update device_states set last_event_at = last_seen_at`.execute(db);
}
