import { CHANGEABLE, PASSING } from './coverage-reasons.ts';

/** The part of the coverage for the tables of notices. */
export const NOTICE_COVERAGE = {
  notice_channels: {
    compared: {},
    notCompared: {
      [CHANGEABLE]: [
        'tenant_id',
        'channel_id',
        'name',
        'kind',
        'address',
        'url_origin',
        'sealed_under',
        'sealed_target',
        'topics',
        'min_severity',
        'quiet_hours',
        'max_per_hour',
        'status',
        'version',
        'created_at',
        'updated_at',
      ],
    },
  },
  notices: {
    compared: {},
    notCompared: {
      [PASSING]: [
        'tenant_id',
        'notice_id',
        'channel_id',
        'cause',
        'cause_key',
        'severity',
        'resource_id',
        'message',
        'happened_at',
        'state',
        'due_at',
        'attempts',
        'started_at',
        'last_error',
        'digest_id',
        'created_at',
        'sent_at',
      ],
    },
  },
  protection_states: {
    compared: {},
    notCompared: { [PASSING]: ['tenant_id', 'status', 'since', 'fault_seen_at'] },
  },
} as const;
