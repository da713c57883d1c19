import { CHANGEABLE, PASSING, table, tablesOf } from './table.ts';

export const NOTICES_TABLES = tablesOf('notices', {
  /** Where the service sends notices of a tenant. */
  notice_channels: table({
    key: ['tenant_id', 'channel_id'],
    columns: {
      tenant_id: 'text',
      channel_id: 'text',
      name: 'text',
      kind: 'text',
      /** Of a channel by mail. */
      address: 'text or null',
      /** Of all other channels. */
      url_origin: 'text or null',
      sealed_under: 'text or null',
      /** JSON object with the URL and the secret, encrypted. */
      sealed_target: 'sealed or null',
      /** JSON array. */
      topics: 'json',
      min_severity: 'text',
      /** JSON object. */
      quiet_hours: 'json or null',
      max_per_hour: 'integer',
      status: 'text',
      version: 'integer',
      created_at: 'time',
      updated_at: 'time',
    },
    verify: {
      notCompared: CHANGEABLE,
      missingRows: CHANGEABLE,
    },
    creator: { holdings: ['notice_channel'] },
  }),
  /** Messages to notice channels: one row per channel and cause. */
  notices: table({
    key: ['tenant_id', 'notice_id'],
    columns: {
      tenant_id: 'text',
      notice_id: 'text',
      channel_id: 'text',
      cause: 'text',
      /** A channel has one notice with this key. */
      cause_key: 'text',
      severity: 'text',
      resource_id: 'text or null',
      message: 'text',
      happened_at: 'time',
      state: 'text',
      /** When it may be claimed; for one that is being sent, when its lease ends. Null when it is settled. */
      due_at: 'time or null',
      attempts: 'integer',
      /** When it was first claimed: counts for the limit per hour. */
      started_at: 'time or null',
      last_error: 'text or null',
      digest_id: 'text or null',
      created_at: 'time',
      sent_at: 'time or null',
    },
    verify: {
      notCompared: PASSING,
      missingRows: PASSING,
    },
  }),
  /** The protection status of a tenant, as its channels know it. */
  protection_states: table({
    key: ['tenant_id'],
    columns: {
      tenant_id: 'text',
      status: 'text',
      since: 'time',
      /** When a process last found the status degraded or unprotected. */
      fault_seen_at: 'time or null',
    },
    verify: {
      notCompared: PASSING,
      missingRows: PASSING,
    },
  }),
});
