import { CHANGEABLE, ONLY_HERE, PASSING, SHORT_LIVED, table, tablesOf } from './table.ts';

export const DEVICES_TABLES = tablesOf('devices', {
  /** Registered devices and their public keys. */
  devices: table({
    key: ['tenant_id', 'device_id'],
    columns: {
      tenant_id: 'text',
      device_id: 'text',
      platform: 'text',
      status: 'text',
      /** DER SubjectPublicKeyInfo. */
      public_key: 'bytes',
      agent_version: 'text or null',
      name: 'text or null',
      registered_at: 'time',
      revoked_at: 'time or null',
      /** Increases with each change of key or status. A cached key is valid for one version. */
      version: 'integer',
    },
    verify: {
      compared: {
        'the audit log': ['tenant_id', 'device_id', 'public_key', 'status', 'revoked_at'],
      },
      notCompared: {
        [CHANGEABLE]: ['platform', 'agent_version', 'name'],
        [ONLY_HERE]: ['registered_at', 'version'],
      },
    },
    creator: { stays: 'proves itself with its own key; each member with the scope can revoke it' },
  }),
  /** What changes with each request of a device. Separate from `devices`, so that a change of the device is never overwritten. */
  device_states: table({
    key: ['tenant_id', 'device_id'],
    columns: {
      tenant_id: 'text',
      device_id: 'text',
      last_seen_at: 'time',
      /** The device's chain: its last sequence number and the hash of its last event, as sent. */
      sequence: 'integer or null',
      event_hash: 'bytes or null',
      /** Arrival of its last new event. */
      last_event_at: 'time or null',
    },
    verify: {
      notCompared: PASSING,
      missingRows: PASSING,
    },
  }),
  /** Nonces of accepted request signatures, kept while a signature could still be replayed. */
  request_nonces: table({
    key: ['tenant_id', 'bucket', 'nonce', 'device_id'],
    columns: {
      tenant_id: 'text',
      /** `created` of the signature divided by the bucket width. Old buckets are deleted as a whole. */
      bucket: 'integer',
      device_id: 'text',
      nonce: 'text',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
  }),
});
