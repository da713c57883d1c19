import type { HoldingKind } from '@tps/contract';
import type { Tables } from '../../database/tables/index.ts';

/** What happens to the rows of a table when the authority of their creator ends. */
export type CreatorRule =
  /** They act later on that authority, so they are holdings, and end with it. */
  | { readonly holdings: readonly HoldingKind[] }
  /** They are access, and what ends the access removes or revokes them. */
  | { readonly access: string }
  /** They stay, because they act for no one. */
  | { readonly stays: string }
  /** No person or program creates them. */
  | 'created by the service';

const SERVICE = 'created by the service';
const DATA = { stays: 'data of the tenant, which each member with the scope can change or remove' };
const ACCOUNT = { access: 'belongs to the account, and ends with it' };
const HISTORY = { stays: 'a record of what happened' };

/** The rule of each table. A new table without one is a type error. */
export const CREATOR_RULES: Readonly<Record<keyof Tables, CreatorRule>> = {
  tokens: { holdings: ['token', 'enrolment'] },
  oauth_clients: { holdings: ['oauth_client'] },
  invitations: { holdings: ['invitation'] },
  webhooks: { holdings: ['webhook'] },
  notice_channels: { holdings: ['notice_channel'] },
  sign_on_providers: { holdings: ['sign_on'] },
  holdings: { access: 'records the owner of each of these' },
  earlier_owners: { access: 'the same' },

  account_sessions: ACCOUNT,
  account_totp: ACCOUNT,
  account_recovery_codes: ACCOUNT,
  account_passkeys: ACCOUNT,
  account_challenges: ACCOUNT,
  oauth_consents: { access: 'ends with the membership, the client, or by the person' },
  oauth_records: { access: 'ends with the membership, the client or the consent' },
  sign_on_identities: {
    access: 'ends with the account and the provider, and opens nothing without a membership',
  },
  memberships: { stays: 'an invited person does not depend on the inviter' },
  accounts: { stays: 'people create their own' },

  policies: DATA,
  indicator_sources: DATA,
  indicators: DATA,
  retention_overrides: DATA,
  saved_views: { stays: 'views for oneself end with the membership; shared ones are data of the tenant' },
  devices: { stays: 'proves itself with its own key; each member with the scope can revoke it' },
  tenants: { stays: 'created by the operator' },
  data_requests: { stays: 'carried out for the tenant, and every member with the scope can read the result' },
  jobs: { stays: 'changes nothing before a review by another request' },
  job_inputs: HISTORY,
  scans: HISTORY,
  events: HISTORY,
  incident_timeline: HISTORY,
  audit_entries: HISTORY,
  idempotency_keys: { stays: 'repeats an answer only to the credential that got it' },

  alerts: SERVICE,
  artifacts: SERVICE,
  audit_heads: SERVICE,
  deliveries: SERVICE,
  delivery_statistics: SERVICE,
  device_states: SERVICE,
  erased_events: SERVICE,
  event_statistics: SERVICE,
  feed_heads: SERVICE,
  incident_members: SERVICE,
  incident_statistics: SERVICE,
  incidents: SERVICE,
  indicator_heads: SERVICE,
  login_failures: SERVICE,
  notices: SERVICE,
  oauth_keys: SERVICE,
  protection_states: SERVICE,
  request_nonces: SERVICE,
  scan_statistics: SERVICE,
  schema_migrations: SERVICE,
  secret_key_holders: SERVICE,
  service_settings: SERVICE,
  service_statistics: SERVICE,
  sightings: SERVICE,
  threats: SERVICE,
  trace_steps: SERVICE,
  traces: SERVICE,
  webhook_circuits: SERVICE,
  webhook_recoveries: SERVICE,
  webhook_states: SERVICE,
};
