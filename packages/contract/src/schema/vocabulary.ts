/**
 * The closed lists and limits of the contract, and the parser of times, without the schemas: the agent, the command line and
 * the stores of the service can use them without loading TypeBox (0.2 s).
 */

export { countOf } from './count-of.ts';
export { parseTimestamp } from './parse-timestamp.ts';
export { ROLE_SCOPES, ROLES, type Role, SCOPE_MEANINGS, SCOPES, type Scope } from './scope-meanings.ts';

export const PLATFORMS = ['ios', 'android', 'windows', 'macos', 'linux'] as const;

/** In ascending order: the index is the rank. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;

export const THREAT_CATEGORIES = [
  'phone_scam',
  'social_engineering',
  'malicious_app',
  'phishing',
  'remote_control',
  'deepfake',
] as const;

export const ACTIONS = ['allow', 'warn', 'block'] as const;

/** How an event fits the chain that its device declares. Recorded with the event, never a reason to reject it. */
export const DEVICE_CHAIN_STATES = ['linked', 'gap', 'declared_gap', 'fork', 'reset', 'unchained'] as const;

/**
 * Ids of the policies that an agent brings along for categories that no policy of the tenant names. The service does not
 * store them.
 */
export const AGENT_POLICY_IDS = {
  warn: 'pol_agent-default-warn',
  block: 'pol_agent-default-block',
  allow: 'pol_agent-default-allow',
} as const;

/** What redaction writes in place of personal data, and what the mark stands for. A link becomes `url:sha256:` and a hash. */
export const REDACTION_MARKS = {
  '[email]': 'e-mail address',
  '[phone]': 'phone number',
  '[name]': 'name',
  '[iban]': 'bank account',
  '[card]': 'payment card',
  '[national-id]': 'national id',
  '[document]': 'identity document',
  '[plate]': 'registration plate',
  '[birth-date]': 'date of birth',
  '[address]': 'street address',
  '[imei]': 'IMEI',
  '[mac]': 'MAC address',
  '[wallet]': 'cryptocurrency address',
  '[user]': 'user name',
  '[redacted]': 'whole text',
} as const;

/** The kinds of holdings: what acts on the authority of its owner. */
export const HOLDING_KINDS = [
  'token',
  'enrolment',
  'oauth_client',
  'invitation',
  'webhook',
  'notice_channel',
  'sign_on',
] as const;

/** The noun that precedes the name of a holding. */
const HOLDING_NOUNS: Readonly<Record<(typeof HOLDING_KINDS)[number], string>> = {
  token: 'token',
  enrolment: 'enrolment secret',
  oauth_client: 'OAuth client',
  invitation: 'invitation of',
  webhook: 'webhook to',
  notice_channel: 'notice channel',
  sign_on: 'single sign-on at',
};

/** Describes a holding for people: "webhook to https://siem.example.com (disabled)". */
export function describeHolding({
  kind,
  name,
  at_end: atEnd,
}: {
  readonly kind: (typeof HOLDING_KINDS)[number];
  readonly name: string;
  readonly at_end: string;
}): string {
  return `${HOLDING_NOUNS[kind]} ${name} (${atEnd})`;
}

export const INDICATOR_TYPES = ['domain', 'url', 'sha256', 'package', 'certificate'] as const;

export const INDICATOR_VALIDITIES = ['current', 'upcoming', 'expired'] as const;

/** Maximum number of policies that a device decides by. It ignores a longer list, and keeps the one that it has. */
export const MAX_POLICIES = 1000;

/** Maximum size of an event's `metadata` as JSON, in bytes. */
export const METADATA_LIMIT_BYTES = 4096;

/** Maximum number of events in one POST /events/batch. */
export const BATCH_LIMIT = 500;

/** Maximum number of items in one bulk change. */
export const BULK_LIMIT = 100;

/** ID prefix of each noun. Clients choose the IDs of events and devices and may choose those of policies; the service generates all others. */
export const ID_PREFIXES = {
  tenant: 'tnt',
  event: 'evt',
  device: 'dev',
  policy: 'pol',
  threat: 'thr',
  alert: 'alr',
  incident: 'inc',
  job: 'job',
  trace: 'trc',
  step: 'stp',
  artifact: 'art',
  scan: 'scn',
  import: 'imp',
  guidance: 'gui',
  token: 'tok',
  enrolment: 'enr',
  webhook: 'whk',
  delivery: 'dlv',
  dead_letter: 'dlq',
  audit: 'aud',
  account: 'acc',
  invitation: 'inv',
  oauth_client: 'cli',
  session: 'ses',
  view: 'vew',
  notice_channel: 'nch',
  notice: 'ntc',
  data_request: 'drq',
} as const;

/** The ways in which an OAuth client gets access tokens. */
export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;

/** The ways in which an OAuth client proves its identity. */
export const TOKEN_ENDPOINT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const;

/** Maximum number of events that join one alert. */
export const ALERT_EVENT_LIMIT = 1000;

/**
 * Maximum number of events of a threat; the next one begins another. A correction reads all events of its threat, so this
 * bounds its cost.
 */
export const THREAT_EVENT_LIMIT = 1000;

/** Maximum number of alerts, threats, devices and timeline entries in a response; the newest are listed. */
export const INCIDENT_LIST_LIMIT = 500;

/** Lengths of the buckets in which items are counted over time. */
export const COUNT_INTERVALS = ['minute', 'hour', 'day'] as const;
/** Maximum number of items that one request counts. */
export const MAX_COUNTED = 100_000;
/** Maximum number of buckets in a response. */
export const MAX_BUCKETS = 1_500;

/** Number of attempts before a delivery becomes a dead letter. */
export const DELIVERY_ATTEMPTS = 3;

/** How long deliveries and dead letters are kept, in days. */
export const DELIVERY_RETENTION_DAYS = 7;

/** Maximum number of webhooks of a tenant. */
export const WEBHOOK_LIMIT = 100;

/**
 * How many things of a kind can act on the authority of the people and programs of a tenant. It bounds the work of ending a
 * person's access, for which other changes of the tenant wait.
 */
export const HOLDING_LIMITS = { token: 2000, enrolment: 1000, invitation: 1000, oauth_client: 200 } as const;

/**
 * How much access to a person's account or to a client can be live at a time: then the access that would expire first ends.
 * `grants` are those of one person to one OAuth client, `sessions` those of an account; the others are access tokens. They bound the work of ending
 * a person's access as well.
 */
export const ACCESS_LIMITS = {
  grants: 100,
  tokensOfGrant: 10,
  tokensOfConsoleSession: 100,
  tokensOfClient: 1000,
  tokensOfPerson: 1000,
  sessions: 100,
} as const;

/** Maximum number of saved views of one owner. */
export const OWN_VIEW_LIMIT = 100;

/** Maximum number of saved views of a tenant. */
export const VIEW_LIMIT = 2000;

/** Maximum number of notice channels of a tenant. */
export const NOTICE_CHANNEL_LIMIT = 20;

/** Maximum number of data requests of a tenant that are in progress. */
export const DATA_REQUEST_LIMIT = 10;

/** Messages to one notice channel in any hour: unless it has another limit, and at most. */
export const DEFAULT_NOTICES_PER_HOUR = 10;
export const MAX_NOTICES_PER_HOUR = 100;

/** How long notices are kept, in days. */
export const NOTICE_RETENTION_DAYS = 30;

export const NOTICE_CHANNEL_KINDS = ['email', 'slack', 'webhook'] as const;
export const NOTICE_CHANNEL_STATUSES = ['active', 'paused'] as const;
export const NOTICE_TOPICS = ['incidents', 'protection'] as const;
export const NOTICE_CAUSES = [
  'incident_opened',
  'incident_resolved',
  'protection_degraded',
  'protection_restored',
  'digest',
  'test',
] as const;
export const NOTICE_STATES = ['waiting', 'sending', 'sent', 'in_digest', 'failed'] as const;

/** From Monday, as ISO 8601 counts. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Default time for which the old secret keeps signing, in seconds: a day. */
export const DEFAULT_ROTATION_OVERLAP_S = 86_400;

/** What GET /statistics counts. */
export const STATISTICS_MEASURES = [
  'events',
  'corrections',
  'devices',
  'alerts',
  'incidents_opened',
  'incidents_acknowledged',
  'incidents_resolved',
  'deliveries_delivered',
  'deliveries_failed',
  'deliveries_dead',
  'scans',
] as const;

/** By what GET /statistics divides measures. */
export const STATISTICS_BREAKDOWNS = ['category', 'action', 'severity', 'platform', 'verdict'] as const;

/** Maximum number of hours or days in a response of GET /statistics: a month of hours, or two years of days. */
export const STATISTICS_BUCKET_LIMIT = 750;

/** How long statistics of a tenant are kept, in months. */
export const STATISTICS_RETENTION_MONTHS = 24;
export const INCIDENT_CATEGORIES = [
  ...THREAT_CATEGORIES,
  'device_integrity',
  'monitoring',
  'campaign',
] as const;

export const INCIDENT_STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;

export const RESOLUTIONS = [
  'true_positive',
  'false_positive',
  'benign_expected',
  'duplicate',
  'test',
  'inconclusive',
] as const;

export const JOB_STATUSES = [
  'queued',
  'running',
  'waiting_review',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;

export const ALERT_STATUSES = ['open', 'resolved'] as const;

export const THREAT_STATUSES = ['active', 'resolved', 'dismissed'] as const;

/** The steps of `incident_triage_v1` in their order. */
export const STEP_TYPES = [
  'load_inputs',
  'collect_evidence',
  'correlate',
  'classify',
  'guardrail_check',
  'draft_recommendation',
  'publish_artifacts',
  'review_gate',
  'review_decision',
  'apply_decision',
] as const;

/** Items of a page unless the request has a limit. */
export const DEFAULT_PAGE_LIMIT = 20;
/** Tags of one incident. */
export const MAX_TAGS = 50;
/** The notice of the deletion of a tenant, unless the request has another. */
export const DEFAULT_DELETION_DAYS = 30;

/** The kinds of records about a device or a person, in the order in which they are exported and deleted. */
export const DATA_RECORD_KINDS = [
  'device',
  'device_state',
  'credential',
  'nonce',
  'event',
  'alert',
  'threat',
  'sighting',
  'incident_member',
  'incident',
  'timeline_entry',
  'delivery',
  'webhook_state',
  'notice',
  'job_input',
  'job',
  'run',
  'step',
  'artifact',
  'scan',
  'kept_response',
  'saved_view',
  'data_request',
] as const;
export type DataRecordKind = (typeof DATA_RECORD_KINDS)[number];
/** How long the records of an export can be read, in days. */
export const EXPORT_DAYS = 7;
