import { table, tablesOf } from './table.ts';

export const THREATS_TABLES = tablesOf('threats', {
  /** Threats: related events of one device and category. */
  threats: table({
    key: ['tenant_id', 'threat_id'],
    columns: {
      tenant_id: 'text',
      threat_id: 'text',
      device_id: 'text',
      threat_category: 'text',
      confidence: 'real',
      severity: 'text',
      /** Stored status. An `active` threat without recent events is shown as `resolved`. */
      status: 'text',
      detected_at: 'time',
      last_seen_at: 'time',
      description: 'text or null',
      /** JSON array. */
      indicators: 'json',
      event_count: 'integer',
    },
    verify: {
      compared: {
        'the events of the threat': [
          'tenant_id',
          'threat_id',
          'device_id',
          'threat_category',
          'confidence',
          'severity',
          'detected_at',
          'last_seen_at',
          'description',
          'indicators',
          'event_count',
        ],
        'the events of the threat, and whether an incident of it has ended': ['status'],
      },
    },
  }),
  /** Where an indicator was last seen: finds the threat that an event joins, and indicators on many devices. */
  sightings: table({
    key: ['tenant_id', 'correlation_key', 'device_id', 'threat_category'],
    columns: {
      tenant_id: 'text',
      /** Truncated SHA-256, in base64url, of the indicator, or of the policy for events without any. */
      correlation_key: 'text',
      device_id: 'text',
      threat_category: 'text',
      threat_id: 'text',
      last_seen_at: 'time',
    },
    verify: {
      compared: {
        'the events of the sighting': ['tenant_id', 'correlation_key', 'device_id', 'threat_category'],
      },
      notCompared: 'corrections and retention leave several possible states',
    },
  }),
});
