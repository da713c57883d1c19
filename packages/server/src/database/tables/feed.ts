import { HISTORY, ONLY_HERE, table, tablesOf } from './table.ts';

export const FEED_TABLES = tablesOf('feed', {
  /** The end of each tenant's feed. Its row assigns positions without gaps, in commit order. */
  feed_heads: table({
    key: ['tenant_id'],
    columns: {
      tenant_id: 'text',
      position: 'integer',
      chain_hash: 'bytes',
      /** Arrival of the newest event. Arrival times never decrease along the feed. */
      received_at: 'time',
    },
    verify: {
      compared: {
        'the hash chain of the feed': ['tenant_id', 'position', 'chain_hash', 'received_at'],
      },
    },
  }),
  /** The feed. Rows never change. */
  events: table({
    key: ['tenant_id', 'position'],
    columns: {
      tenant_id: 'text',
      position: 'integer',
      event_id: 'text',
      /** RFC 8785 text of the redacted event, as served, hashed and compared. */
      body: 'text',
      received_at: 'time',
      /** When the device decided, as the event states it. */
      timestamp: 'time',
      device_id: 'text',
      threat_category: 'text',
      severity: 'text',
      /** Threat and alert that the event joined when it arrived. */
      threat_id: 'text or null',
      alert_id: 'text or null',
      /** Root event that this one corrects. */
      corrects_event_id: 'text or null',
      /** SHA-256 of `body`. */
      event_hash: 'bytes',
      /** SHA-256 of the chain hash before and this event's hash. */
      chain_hash: 'bytes',
      /** SHA-256 of the request body that the device signed. */
      signed_digest: 'bytes',
      /** The state of the device's chain: linked, gap, fork, reset or unchained. */
      device_chain: 'text',
      /** What the filters of lists compare in `body`, as short words. Null: an older version stored the event. */
      filter_keys: 'text or null',
    },
    verify: {
      compared: {
        'the hash chain of the feed': ['position', 'body', 'event_hash', 'chain_hash'],
        'the stored text': [
          'tenant_id',
          'event_id',
          'timestamp',
          'device_id',
          'threat_category',
          'severity',
          'corrects_event_id',
          'filter_keys',
        ],
        'the stored text, as far as it says whether there is one': ['threat_id', 'alert_id', 'device_chain'],
        'the events before and after': ['received_at'],
      },
      notCompared: 'the request that the device signed is not stored',
    },
    creator: HISTORY,
  }),
  /** The places of events that were erased on request. They keep the hash chain of the feed verifiable. */
  erased_events: table({
    key: ['tenant_id', 'position'],
    columns: {
      tenant_id: 'text',
      position: 'integer',
      /** Truncated SHA-256 of the event's id, in base64url: recognizes the event when its device repeats it. */
      event_key: 'text',
      received_at: 'time',
      /** SHA-256 of the erased text. */
      event_hash: 'bytes',
      chain_hash: 'bytes',
      /** The data request that erased it. */
      request_id: 'text',
    },
    verify: {
      compared: {
        'the hash chain of the feed': ['tenant_id', 'position', 'event_hash', 'chain_hash'],
        'the audit log': ['request_id'],
      },
      notCompared: ONLY_HERE,
    },
  }),
});
