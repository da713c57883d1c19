import type {
  Alert,
  AuditEntry,
  DeadLetterBulk,
  Delivery,
  Device,
  Event,
  GuidanceCard,
  Incident,
  Job,
  JobBulk,
  Member,
  NewScan,
  Notice,
  NoticeChannel,
  OAuthClient,
  QuietHours,
  Review,
  Threat,
  ThreatIndicator,
  Token,
  Webhook,
} from '@tps/client';
import { parseTimestamp } from '@tps/contract/vocabulary';
import { InvalidArgumentError, Option } from 'commander';

// The compiler checks the keys against the types of the client, so that changes of the contract are noticed here.
type ScanChannel = NonNullable<NonNullable<NewScan['context']>['channel']>;
export const SEVERITIES = keysOf<Event['severity']>({ low: 0, medium: 0, high: 0, critical: 0 });
export const THREAT_CATEGORIES = keysOf<Event['threat_category']>({
  phone_scam: 0,
  social_engineering: 0,
  malicious_app: 0,
  phishing: 0,
  remote_control: 0,
  deepfake: 0,
});
export const INDICATOR_TYPES = keysOf<ThreatIndicator['type']>({
  domain: 0,
  url: 0,
  sha256: 0,
  package: 0,
  certificate: 0,
});
export const INCIDENT_CATEGORIES = keysOf<Incident['category']>({
  phone_scam: 0,
  social_engineering: 0,
  malicious_app: 0,
  phishing: 0,
  remote_control: 0,
  deepfake: 0,
  device_integrity: 0,
  monitoring: 0,
  campaign: 0,
});
export const INCIDENT_STATUSES = keysOf<Incident['status']>({
  open: 0,
  in_progress: 0,
  on_hold: 0,
  resolved: 0,
  closed: 0,
});
export const RESOLUTIONS = keysOf<NonNullable<Incident['resolution']>>({
  true_positive: 0,
  false_positive: 0,
  benign_expected: 0,
  duplicate: 0,
  test: 0,
  inconclusive: 0,
});
export const JOB_STATUSES = keysOf<Job['status']>({
  queued: 0,
  running: 0,
  waiting_review: 0,
  completed: 0,
  rejected: 0,
  cancelled: 0,
  failed: 0,
});
export const JOB_ACTS = keysOf<JobBulk['change']['action']>({ approve: 0, reject: 0, cancel: 0 });
export const DEAD_LETTER_ACTS = keysOf<DeadLetterBulk['change']['action']>({ replay: 0, delete: 0 });
export const REVIEW_DECISIONS = keysOf<Review['decision']>({ approve: 0, amend: 0, reject: 0, cancel: 0 });
export const ACTIONS = keysOf<Event['action_taken']>({ allow: 0, warn: 0, block: 0 });
export const PLATFORMS = keysOf<Device['platform']>({ ios: 0, android: 0, windows: 0, macos: 0, linux: 0 });
export const DEVICE_STATUSES = keysOf<Device['status']>({ active: 0, revoked: 0 });
export const ALERT_STATUSES = keysOf<Alert['status']>({ open: 0, resolved: 0 });
export const THREAT_STATUSES = keysOf<Threat['status']>({ active: 0, resolved: 0, dismissed: 0 });
export const DELIVERY_STATUSES = keysOf<Delivery['status']>({ pending: 0, delivered: 0, failed: 0 });
export const ACTOR_TYPES = keysOf<AuditEntry['actor']['type']>({
  token: 0,
  account: 0,
  oauth_client: 0,
  command_line: 0,
  service: 0,
});
export const AUDIT_OUTCOMES = keysOf<AuditEntry['outcome']>({ success: 0, denied: 0 });
export const TOKEN_STATUSES = keysOf<Token['status']>({ active: 0, expired: 0, revoked: 0 });
export const WEBHOOK_STATUSES = keysOf<Webhook['status']>({ active: 0, disabled: 0 });
export const NOTICE_STATES = keysOf<Notice['state']>({
  waiting: 0,
  sending: 0,
  sent: 0,
  in_digest: 0,
  failed: 0,
});
export const NOTICE_CAUSES = keysOf<Notice['cause']>({
  incident_opened: 0,
  incident_resolved: 0,
  protection_degraded: 0,
  protection_restored: 0,
  digest: 0,
  test: 0,
});
export const NOTICE_TOPICS = keysOf<NoticeChannel['topics'][number]>({ incidents: 0, protection: 0 });
export const WEEKDAYS = keysOf<QuietHours['days'][number]>({
  mon: 0,
  tue: 0,
  wed: 0,
  thu: 0,
  fri: 0,
  sat: 0,
  sun: 0,
});
export const ROLES = keysOf<Member['role']>({ viewer: 0, analyst: 0, admin: 0 });
export const AUDIENCES = keysOf<GuidanceCard['audience']>({ user: 0, analyst: 0, admin: 0 });
export const LOCALES = keysOf<GuidanceCard['locale']>({ en: 0, de: 0 });
export const CHANNELS = keysOf<ScanChannel>({ sms: 0, email: 0, call: 0, chat: 0, web: 0 });

export const GRANT_TYPES = keysOf<OAuthClient['grant_types'][number]>({
  authorization_code: 0,
  refresh_token: 0,
  client_credentials: 0,
  'urn:ietf:params:oauth:grant-type:device_code': 0,
});
export const AUTH_METHODS = keysOf<OAuthClient['token_endpoint_auth_method']>({
  client_secret_post: 0,
  client_secret_basic: 0,
  private_key_jwt: 0,
  none: 0,
});

function keysOf<Value extends string>(values: Record<Value, 0>): readonly Value[] {
  return Object.keys(values) as Value[];
}

/** Creates an option with listed values. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

/** Creates a filter by listed values: one, several with commas, or `!` and those that must not match. */
export function anyOf(flags: string, description: string, values: readonly string[]): Option {
  const option = choice(flags, `${description}; several with commas, !value for all others`, values);
  return option.argParser((text: string) => {
    const words = text.replace(/^!/, '').split(',');
    const unknown = words.filter((word) => !values.includes(word));
    if (unknown.length === 0) return text;
    throw new InvalidArgumentError(
      `Unknown: ${unknown.join(', ')}. Use one or more of ${values.join(', ')}.`,
    );
  });
}

/** Creates the filters by the time of creation, for a list of `noun`. */
export function createdWithin(noun: string): Option[] {
  return [
    new Option('--since <time>', `only ${noun} since this time, RFC 3339 or relative, such as 24h`).argParser(
      toTime,
    ),
    new Option('--until <time>', `only ${noun} before this time`).argParser(toTime),
  ];
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a past time: RFC 3339, or relative to now (`30m`, `24h`, `7d` ago). @throws InvalidArgumentError */
export function toTime(text: string): string {
  const agoMs = parsePeriod(text);
  if (agoMs !== undefined) return new Date(Date.now() - agoMs).toISOString();
  if (parseTimestamp(text) !== undefined) return text;
  throw new InvalidArgumentError(
    'Use a time such as 2026-03-01T09:30:00Z, or 30m, 24h or 7d for that long ago.',
  );
}

/** Parses a future time: RFC 3339, or relative to now (in `30m`, `24h`, `7d`). @throws InvalidArgumentError */
export function toFutureTime(text: string): string {
  const nowMs = Date.now();
  const inMs = parsePeriod(text);
  const atMs = inMs === undefined ? parseTimestamp(text) : nowMs + inMs;
  if (atMs !== undefined && atMs > nowMs) return new Date(atMs).toISOString();
  throw new InvalidArgumentError(
    'Use a time in the future such as 2030-03-01T09:30:00Z, or 30m, 24h or 7d for that long from now.',
  );
}

/** Parses a period, such as `24h` or `7d`, into seconds. @throws InvalidArgumentError */
export function toSeconds(text: string): number {
  const periodMs = parsePeriod(text);
  if (periodMs !== undefined && periodMs > 0) return periodMs / 1000;
  throw new InvalidArgumentError('Use 30m, 24h or 7d.');
}

function parsePeriod(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** Returns a parser of whole numbers within bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Use a whole number from ${min} to ${max}.`);
  };
}

/** Parses a number from 0 to 1. @throws InvalidArgumentError */
export function toShare(text: string): number {
  const value = /^\d(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value <= 1) return value;
  throw new InvalidArgumentError('Use a number from 0 to 1.');
}

/** Parses words separated by commas, for an option that can be repeated. */
export function toWords(text: string, previous: readonly string[] = []): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...previous, ...words.filter((word) => word !== '')];
}

/** Returns a parser of words separated by commas, each one of `known`. */
export function wordsOf<Word extends string>(known: readonly Word[]) {
  return (text: string, previous?: readonly Word[]): readonly Word[] => {
    const words = toWords(text, previous);
    const unknown = words.filter((word) => !known.some((one) => one === word));
    if (unknown.length === 0) return words as Word[];
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. Use one or more of ${known.join(', ')}.`);
  };
}

/** Parses `60s`, `5m` or `500ms` as milliseconds. @throws InvalidArgumentError */
export function toDuration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  const factor = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[unit];
  if (count !== undefined && factor !== undefined) return Number(count) * factor;
  throw new InvalidArgumentError('Use a duration such as 500ms, 60s, 5m or 1h.');
}

/** Parses `20%` as 0.2. @throws InvalidArgumentError */
export function toShareOf(text: string): number {
  const [, count] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text) ?? [];
  if (count !== undefined && Number(count) <= 100) return Number(count) / 100;
  throw new InvalidArgumentError('Use a percentage such as 20%.');
}
