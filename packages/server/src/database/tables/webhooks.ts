import { PASSING, SHORT_LIVED, table, tablesOf } from './table.ts';

export const WEBHOOKS_TABLES = tablesOf('webhooks', {
  /** Receivers of warn and block events. Secrets are sealed: see `SecretBox`. */
  webhooks: table({
    key: ['tenant_id', 'webhook_id'],
    columns: {
      tenant_id: 'text',
      webhook_id: 'text',
      url: 'text',
      /** JSON array of severities; null for all. */
      severity_filter: 'json or null',
      status: 'text',
      disabled_reason: 'text or null',
      created_at: 'time',
      updated_at: 'time',
      secret_key_id: 'text',
      secret: 'sealed',
      /** The secret before the last rotation, which also signs until `previous_secret_until`. */
      previous_secret_key_id: 'text or null',
      previous_secret: 'sealed or null',
      previous_secret_until: 'time or null',
      /** Always null: older versions recorded here when the process that holds the key last reported. */
      held_at: 'time or null',
      /** Whether the service replays dead letters itself when the receiver responds again. */
      auto_replay: 'flag',
    },
    verify: {
      compared: {
        'the deliveries of the webhook': ['tenant_id', 'webhook_id'],
        'the audit log': [
          'url',
          'severity_filter',
          'auto_replay',
          'status',
          'disabled_reason',
          'updated_at',
          'previous_secret_until',
        ],
        'its id': ['created_at'],
      },
      notCompared: {
        'it is encrypted for this webhook; the service checks at its start that it opens': [
          'secret_key_id',
          'secret',
          'previous_secret_key_id',
          'previous_secret',
        ],
        'it is always null': ['held_at'],
      },
    },
    creator: { holdings: ['webhook'] },
  }),
  /** Delivery status of each webhook. Separate from `webhooks`, because it changes with each delivery. */
  webhook_states: table({
    key: ['tenant_id', 'webhook_id'],
    columns: {
      tenant_id: 'text',
      webhook_id: 'text',
      last_status: 'text',
      last_error: 'text or null',
      last_at: 'time',
      last_attempts: 'integer',
      /** The first failure since the last success. */
      failing_since: 'time or null',
    },
    verify: {
      notCompared: PASSING,
      missingRows: PASSING,
    },
  }),
  /** Ranges of the feed that are searched for events a webhook was not sent. A row is deleted when its search ends. */
  webhook_recoveries: table({
    key: ['tenant_id', 'webhook_id', 'until_position'],
    columns: {
      tenant_id: 'text',
      webhook_id: 'text',
      /** The last position of the range. */
      until_position: 'integer',
      /** The position up to which the search is done. */
      after_position: 'integer',
      /** Whether failed deliveries are started again. */
      restarts_failed: 'flag',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
  }),
  /** Webhooks whose receiver has failed to respond, and the replay of their dead letters. No row: closed. */
  webhook_circuits: table({
    key: ['tenant_id', 'webhook_id'],
    columns: {
      tenant_id: 'text',
      webhook_id: 'text',
      /** `open` until the next probe, `half_open` during a probe or a replay. */
      state: 'text',
      /** When the next probe is due or, during a replay, when its progress is checked. */
      due_at: 'time',
      opened_at: 'time',
      /** Failed probes in a row. */
      failed_probes: 'integer',
      /** Dead letters delivered since it opened. */
      replayed: 'integer',
      /** Number of dead letters of the current batch. */
      batch_size: 'integer',
      /** First and last delivery of the current batch. */
      batch_from: 'text or null',
      batch_until: 'text or null',
      /** The receiver asked for no requests before this time (`Retry-After`). */
      silent_until: 'time or null',
    },
    verify: {
      notCompared: PASSING,
      missingRows: PASSING,
    },
  }),
  /** Which running process can open secrets under which key. */
  secret_key_holders: table({
    key: ['key_id', 'node_id'],
    columns: {
      key_id: 'text',
      node_id: 'text',
      /** When the process last reported. */
      held_at: 'time',
    },
    verify: {
      notCompared: SHORT_LIVED,
      missingRows: SHORT_LIVED,
    },
  }),
  /** Deliveries of events to webhooks, kept for a while after they succeeded or failed. */
  deliveries: table({
    key: ['tenant_id', 'webhook_id', 'delivery_id'],
    columns: {
      tenant_id: 'text',
      webhook_id: 'text',
      delivery_id: 'text',
      event_id: 'text',
      /** The sample event of a test delivery. Null for an event of the feed, whose body is in `events`. */
      test_body: 'text or null',
      status: 'text',
      /** When it may be claimed: the next attempt or, during an attempt, the end of its lease. Null when it is finished. */
      due_at: 'time or null',
      /** The process that holds the lease. */
      leased_by: 'text or null',
      /** Number of claims. Distinguishes leases, and never returns to a number that a receiver may have seen. */
      claims: 'integer',
      /** Attempts since the delivery was created or replayed. */
      attempts: 'integer',
      created_at: 'time',
      last_attempt_at: 'time or null',
      last_status: 'integer or null',
      last_error: 'text or null',
      last_response: 'text or null',
      last_duration_ms: 'integer or null',
      /** When it became a dead letter. Not cleared while the dead letter is replayed. */
      dead_at: 'time or null',
      /** `waiting`: a dead letter that the service replays itself; `running`: it does so now. Null for all others. */
      replay: 'text or null',
    },
    verify: {
      compared: {
        'the event and the webhook': ['tenant_id', 'webhook_id', 'delivery_id', 'event_id'],
      },
      notCompared: PASSING,
      missingRows: 'the service removes them a week after their last attempt',
    },
  }),
});
