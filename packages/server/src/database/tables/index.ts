import type { AccountChallengesTable } from './account-challenges-table.ts';
import type { AccountPasskeysTable } from './account-passkeys-table.ts';
import type { AccountRecoveryCodesTable } from './account-recovery-codes-table.ts';
import type { AccountSessionsTable } from './account-sessions-table.ts';
import type { AccountTotpTable } from './account-totp-table.ts';
import type { AccountsTable } from './accounts-table.ts';
import type { AlertsTable } from './alerts-table.ts';
import type { ArtifactsTable } from './artifacts-table.ts';
import type { AuditEntriesTable } from './audit-entries-table.ts';
import type { AuditHeadsTable } from './audit-heads-table.ts';
import type { DataRequestsTable } from './data-requests-table.ts';
import type { DeliveriesTable } from './deliveries-table.ts';
import type { DeliveryStatisticsColumn, DeliveryStatisticsTable } from './delivery-statistics-table.ts';
import type { DeviceStatesTable } from './device-states-table.ts';
import type { DevicesTable } from './devices-table.ts';
import type { EarlierOwnersTable } from './earlier-owners-table.ts';
import type { ErasedEventsTable } from './erased-events-table.ts';
import type { EventStatisticsColumn, EventStatisticsTable } from './event-statistics-table.ts';
import type { EventsTable } from './events-table.ts';
import type { FeedHeadsTable } from './feed-heads-table.ts';
import type { HoldingsTable } from './holdings-table.ts';
import type { IdempotencyKeysTable } from './idempotency-keys-table.ts';
import type { IncidentMembersTable } from './incident-members-table.ts';
import type {
  DurationClass,
  IncidentStatisticsColumn,
  IncidentStatisticsTable,
} from './incident-statistics-table.ts';
import type { IncidentTimelineTable } from './incident-timeline-table.ts';
import type { IncidentsTable } from './incidents-table.ts';
import type { IndicatorHeadsTable } from './indicator-heads-table.ts';
import type { IndicatorSourcesTable } from './indicator-sources-table.ts';
import type { IndicatorsTable } from './indicators-table.ts';
import type { InvitationsTable } from './invitations-table.ts';
import type { JobInputsTable } from './job-inputs-table.ts';
import type { JobsTable } from './jobs-table.ts';
import type { LoginFailuresTable } from './login-failures-table.ts';
import type { MembershipsTable } from './memberships-table.ts';
import type { NoticeChannelsTable } from './notice-channels-table.ts';
import type { NoticesTable } from './notices-table.ts';
import type { OauthClientsTable } from './oauth-clients-table.ts';
import type { OauthConsentsTable } from './oauth-consents-table.ts';
import type { OauthKeysTable } from './oauth-keys-table.ts';
import type { OauthRecordsTable } from './oauth-records-table.ts';
import type { PoliciesTable } from './policies-table.ts';
import type { ProtectionStatesTable } from './protection-states-table.ts';
import type { RequestNoncesTable } from './request-nonces-table.ts';
import type { RetentionOverridesTable } from './retention-overrides-table.ts';
import type { SavedViewsTable } from './saved-views-table.ts';
import type { ScanStatisticsColumn, ScanStatisticsTable } from './scan-statistics-table.ts';
import type { ScansTable } from './scans-table.ts';
import type { SchemaMigrationsTable } from './schema-migrations.ts';
import type { SecretKeyHoldersTable } from './secret-key-holders-table.ts';
import type { ServiceSettingsTable } from './service-settings.ts';
import type { ServiceStatisticsTable } from './service-statistics-table.ts';
import type { SightingsTable } from './sightings-table.ts';
import type { SignOnIdentitiesTable } from './sign-on-identities-table.ts';
import type { SignOnProvidersTable } from './sign-on-providers-table.ts';
import type { TenantsTable } from './tenants-table.ts';
import type { ThreatsTable } from './threats-table.ts';
import type { TokensTable } from './tokens-table.ts';
import type { TraceStepsTable } from './trace-steps-table.ts';
import type { TracesTable } from './traces-table.ts';
import type { WebhookCircuitsTable } from './webhook-circuits-table.ts';
import type { WebhookRecoveriesTable } from './webhook-recoveries-table.ts';
import type { WebhookStatesTable } from './webhook-states-table.ts';
import type { WebhooksTable } from './webhooks-table.ts';

/**
 * The data model on a page. On both engines times are milliseconds since the epoch, flags are 0 or 1, hashes are
 * bytes and JSON is text. Every key begins with the tenant, but for the tables
 * of the installation itself and of people, who may belong to several tenants.
 */
export interface Tables {
  schema_migrations: SchemaMigrationsTable;
  service_settings: ServiceSettingsTable;
  tenants: TenantsTable;
  tokens: TokensTable;
  audit_entries: AuditEntriesTable;
  audit_heads: AuditHeadsTable;
  idempotency_keys: IdempotencyKeysTable;
  devices: DevicesTable;
  device_states: DeviceStatesTable;
  request_nonces: RequestNoncesTable;
  feed_heads: FeedHeadsTable;
  events: EventsTable;
  erased_events: ErasedEventsTable;
  threats: ThreatsTable;
  sightings: SightingsTable;
  alerts: AlertsTable;
  incidents: IncidentsTable;
  incident_members: IncidentMembersTable;
  incident_timeline: IncidentTimelineTable;
  policies: PoliciesTable;
  jobs: JobsTable;
  job_inputs: JobInputsTable;
  traces: TracesTable;
  trace_steps: TraceStepsTable;
  artifacts: ArtifactsTable;
  scans: ScansTable;
  webhooks: WebhooksTable;
  webhook_states: WebhookStatesTable;
  webhook_recoveries: WebhookRecoveriesTable;
  webhook_circuits: WebhookCircuitsTable;
  secret_key_holders: SecretKeyHoldersTable;
  deliveries: DeliveriesTable;
  retention_overrides: RetentionOverridesTable;
  indicator_heads: IndicatorHeadsTable;
  indicator_sources: IndicatorSourcesTable;
  indicators: IndicatorsTable;
  accounts: AccountsTable;
  account_sessions: AccountSessionsTable;
  account_totp: AccountTotpTable;
  account_recovery_codes: AccountRecoveryCodesTable;
  account_passkeys: AccountPasskeysTable;
  account_challenges: AccountChallengesTable;
  login_failures: LoginFailuresTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  oauth_clients: OauthClientsTable;
  oauth_records: OauthRecordsTable;
  oauth_consents: OauthConsentsTable;
  oauth_keys: OauthKeysTable;
  sign_on_providers: SignOnProvidersTable;
  sign_on_identities: SignOnIdentitiesTable;
  holdings: HoldingsTable;
  earlier_owners: EarlierOwnersTable;
  saved_views: SavedViewsTable;
  notice_channels: NoticeChannelsTable;
  notices: NoticesTable;
  protection_states: ProtectionStatesTable;
  data_requests: DataRequestsTable;
  event_statistics: EventStatisticsTable;
  incident_statistics: IncidentStatisticsTable;
  delivery_statistics: DeliveryStatisticsTable;
  scan_statistics: ScanStatisticsTable;
  service_statistics: ServiceStatisticsTable;
}

/**
 * The feature that owns each table; `database` owns those of the installation. Only the owner's files write a table.
 * Another feature reads it in a file called `*-read-model.ts`. Three files delete from any table, by a list of tables and
 * keys: `maintenance/retention/purge-store.ts` what is past its retention, `tenants/deletion-store.ts` all of a tenant,
 * `data-requests/subject-rows-store.ts` what is kept about a person or a device.
 * `table-owners.test.ts` enforces this.
 */
export const TABLE_OWNERS = {
  schema_migrations: 'database',
  service_settings: 'database',
  tenants: 'tenants',
  tokens: 'tokens',
  audit_entries: 'audit',
  audit_heads: 'audit',
  idempotency_keys: 'database',
  devices: 'devices',
  device_states: 'devices',
  request_nonces: 'devices',
  feed_heads: 'feed',
  events: 'feed',
  erased_events: 'feed',
  threats: 'threats',
  sightings: 'threats',
  alerts: 'alerts',
  incidents: 'incidents',
  incident_members: 'incidents',
  incident_timeline: 'incidents',
  policies: 'policies',
  jobs: 'jobs',
  job_inputs: 'jobs',
  traces: 'jobs',
  trace_steps: 'jobs',
  artifacts: 'jobs',
  scans: 'scan',
  webhooks: 'webhooks',
  webhook_states: 'webhooks',
  webhook_recoveries: 'webhooks',
  webhook_circuits: 'webhooks',
  secret_key_holders: 'webhooks',
  deliveries: 'webhooks',
  retention_overrides: 'maintenance',
  indicator_heads: 'indicators',
  indicator_sources: 'indicators',
  indicators: 'indicators',
  accounts: 'accounts',
  account_sessions: 'accounts',
  account_totp: 'accounts',
  account_recovery_codes: 'accounts',
  account_passkeys: 'accounts',
  account_challenges: 'accounts',
  login_failures: 'accounts',
  memberships: 'members',
  invitations: 'members',
  oauth_clients: 'oauth',
  oauth_records: 'oauth',
  oauth_consents: 'oauth',
  oauth_keys: 'oauth',
  sign_on_providers: 'sign-on',
  sign_on_identities: 'sign-on',
  holdings: 'holdings',
  earlier_owners: 'holdings',
  saved_views: 'views',
  notice_channels: 'notices',
  notices: 'notices',
  protection_states: 'notices',
  data_requests: 'data-requests',
  event_statistics: 'statistics',
  incident_statistics: 'statistics',
  delivery_statistics: 'statistics',
  scan_statistics: 'statistics',
  service_statistics: 'statistics',
} as const satisfies Record<keyof Tables, string>;

export type {
  AccountPasskeysTable,
  AccountSessionsTable,
  AccountsTable,
  AccountTotpTable,
  AlertsTable,
  ArtifactsTable,
  AuditEntriesTable,
  AuditHeadsTable,
  DataRequestsTable,
  DeliveriesTable,
  DeliveryStatisticsColumn,
  DeviceStatesTable,
  DevicesTable,
  DurationClass,
  ErasedEventsTable,
  EventStatisticsColumn,
  EventsTable,
  HoldingsTable,
  IncidentMembersTable,
  IncidentStatisticsColumn,
  IncidentsTable,
  IncidentTimelineTable,
  IndicatorSourcesTable,
  IndicatorsTable,
  InvitationsTable,
  JobsTable,
  MembershipsTable,
  NoticeChannelsTable,
  NoticesTable,
  OauthClientsTable,
  OauthKeysTable,
  OauthRecordsTable,
  PoliciesTable,
  SavedViewsTable,
  ScanStatisticsColumn,
  ScansTable,
  SightingsTable,
  SignOnProvidersTable,
  TenantsTable,
  ThreatsTable,
  TokensTable,
  TraceStepsTable,
  TracesTable,
  WebhookCircuitsTable,
  WebhookStatesTable,
  WebhooksTable,
};
