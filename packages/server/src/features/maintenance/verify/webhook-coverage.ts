import { PASSING, SHORT_LIVED } from './coverage-reasons.ts';

/** The part of the coverage for the tables of webhooks. */
export const WEBHOOK_COVERAGE = {
  webhooks: {
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
  webhook_states: {
    compared: {},
    notCompared: {
      [PASSING]: [
        'tenant_id',
        'webhook_id',
        'last_status',
        'last_error',
        'last_at',
        'last_attempts',
        'failing_since',
      ],
    },
  },
  webhook_recoveries: {
    compared: {},
    notCompared: {
      [SHORT_LIVED]: ['tenant_id', 'webhook_id', 'until_position', 'after_position', 'restarts_failed'],
    },
  },
  webhook_circuits: {
    compared: {},
    notCompared: {
      [PASSING]: [
        'tenant_id',
        'webhook_id',
        'state',
        'due_at',
        'opened_at',
        'failed_probes',
        'replayed',
        'batch_size',
        'batch_from',
        'batch_until',
        'silent_until',
      ],
    },
  },
  secret_key_holders: {
    compared: {},
    notCompared: { [SHORT_LIVED]: ['key_id', 'node_id', 'held_at'] },
  },
  deliveries: {
    compared: { 'the event and the webhook': ['tenant_id', 'webhook_id', 'delivery_id', 'event_id'] },
    notCompared: {
      [PASSING]: [
        'test_body',
        'status',
        'due_at',
        'leased_by',
        'claims',
        'attempts',
        'created_at',
        'last_attempt_at',
        'last_status',
        'last_error',
        'last_response',
        'last_duration_ms',
        'dead_at',
        'replay',
      ],
    },
  },
} as const;
