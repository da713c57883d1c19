import type { Tables } from '../../../database/tables/index.ts';
import { CHANGEABLE, ONLY_HERE, PASSING, SHORT_LIVED } from './coverage-reasons.ts';

type TableName = keyof Tables;

/** Tables of which `tps verify` reports a missing row, and those of which it does not, by the reason. */
export const ROW_COVERAGE: {
  readonly noticed: readonly TableName[];
  readonly unnoticed: Readonly<Record<string, readonly TableName[]>>;
} = {
  noticed: [
    'tenants',
    'tokens',
    'audit_entries',
    'audit_heads',
    'devices',
    'feed_heads',
    'events',
    'erased_events',
    'threats',
    'sightings',
    'alerts',
    'incidents',
    'incident_members',
    'incident_timeline',
    'policies',
    'webhooks',
    'jobs',
    'traces',
    'artifacts',
  ],
  unnoticed: {
    'a store of an older version lacks them too': ['schema_migrations'],
    'the service removes them a week after their last attempt': ['deliveries'],
    'what is counted is purged before its counts': [
      'event_statistics',
      'incident_statistics',
      'delivery_statistics',
      'scan_statistics',
      'service_statistics',
    ],
    'the next import of the source replaces them': ['indicators', 'indicator_sources', 'indicator_heads'],
    [ONLY_HERE]: [
      'service_settings',
      'job_inputs',
      'trace_steps',
      'scans',
      'data_requests',
      'accounts',
      'oauth_keys',
      'sign_on_identities',
    ],
    [CHANGEABLE]: [
      'retention_overrides',
      'saved_views',
      'notice_channels',
      'account_totp',
      'account_recovery_codes',
      'account_passkeys',
      'memberships',
      'holdings',
      'earlier_owners',
      'oauth_clients',
      'oauth_consents',
      'sign_on_providers',
    ],
    [PASSING]: ['device_states', 'webhook_states', 'webhook_circuits', 'notices', 'protection_states'],
    [SHORT_LIVED]: [
      'idempotency_keys',
      'request_nonces',
      'webhook_recoveries',
      'secret_key_holders',
      'account_sessions',
      'account_challenges',
      'login_failures',
      'invitations',
      'oauth_records',
    ],
  },
};
