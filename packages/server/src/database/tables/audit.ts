import { HISTORY, table, tablesOf } from './table.ts';

export const AUDIT_TABLES = tablesOf('audit', {
  /** The end and the first kept entry of each tenant's audit chain. Appending an entry locks its row. */
  audit_heads: table({
    key: ['tenant_id'],
    columns: {
      /** Empty for changes that concern no tenant. */
      tenant_id: 'text',
      /** Position of the newest entry. */
      position: 'integer',
      chain_hash: 'bytes',
      /** Time of the newest entry. Times never decrease along the chain. */
      occurred_at: 'time',
      /** When the chain began. Entries from before are not in it. */
      started_at: 'time',
      /** Position of the last entry that retention has removed; 0 if none. */
      purged_position: 'integer',
      /** Chain hash of that entry; at first the start of the chain. */
      purged_hash: 'bytes',
    },
    verify: {
      compared: {
        'the audit chain': [
          'tenant_id',
          'position',
          'chain_hash',
          'occurred_at',
          'started_at',
          'purged_position',
          'purged_hash',
        ],
      },
    },
  }),
  /** Privileged changes. Each row is written in the transaction of its change. */
  audit_entries: table({
    key: ['tenant_id', 'audit_id'],
    columns: {
      /** Empty for changes that concern no tenant. */
      tenant_id: 'text',
      audit_id: 'text',
      occurred_at: 'time',
      actor_type: 'text',
      actor_id: 'text',
      action: 'text',
      resource_type: 'text',
      resource_id: 'text',
      outcome: 'text',
      request_id: 'text or null',
      detail: 'text',
      /** JSON object. */
      fields: 'json',
      /** Place in the tenant's chain, without gaps. Null for entries of versions before the chain. */
      position: 'integer or null',
      /** SHA-256 of the chain hash before and this entry's hash. */
      chain_hash: 'bytes or null',
    },
    verify: {
      compared: {
        'the audit chain': [
          'tenant_id',
          'audit_id',
          'occurred_at',
          'actor_type',
          'actor_id',
          'action',
          'resource_type',
          'resource_id',
          'outcome',
          'request_id',
          'detail',
          'fields',
          'position',
          'chain_hash',
        ],
      },
    },
    creator: HISTORY,
  }),
});
