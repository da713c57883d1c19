import { table, tablesOf, WITH_INCIDENT } from './table.ts';

export const ALERTS_TABLES = tablesOf('alerts', {
  /** Decisions that deserve attention. */
  alerts: table({
    key: ['tenant_id', 'alert_id'],
    columns: {
      tenant_id: 'text',
      alert_id: 'text',
      device_id: 'text',
      threat_category: 'text',
      severity: 'text',
      title: 'text',
      status: 'text',
      /** JSON array, oldest first, bounded. */
      event_ids: 'json',
      threat_id: 'text',
      incident_id: 'text or null',
      /** Digest of device, category, policy and indicators; null if no other event may join. */
      merge_key: 'text or null',
      /** `timestamp` of the first event, where the merge window starts. */
      first_event_at: 'time',
      created_at: 'time',
      updated_at: 'time',
    },
    verify: {
      compared: {
        'the events of the alert': [
          'tenant_id',
          'alert_id',
          'device_id',
          'threat_category',
          'severity',
          'title',
          'event_ids',
          'threat_id',
          'merge_key',
          'first_event_at',
          'created_at',
        ],
        'the events of the alert, and whether its incident has ended': ['status'],
        'the incident and its members': ['incident_id'],
      },
      notCompared: WITH_INCIDENT,
    },
  }),
});
