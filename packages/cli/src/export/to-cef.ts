import type { Event } from '@tps/client';
import { classifyIndicator } from './indicator-kind.ts';
import { PRODUCT } from './product.ts';
import { toTitle } from './to-ocsf.ts';

/** ArcSight allows 1023 characters for `msg`. The same limit for every free text keeps a line within its limit. */
const TEXT_LIMIT = 1023;
/** ArcSight allows 4000 characters for a custom string. */
const LIST_LIMIT = 4000;
/** ArcSight allows 40 characters for `externalId`. An id of our agent has 30, one of another device up to 68. */
const EXTERNAL_ID_LIMIT = 40;

/** Maximum length of a line for any event, so that a collector can be configured for it. */
export const CEF_LINE_LIMIT_BYTES = 24_576;

/** CEF's 0 to 10: Low to 3, Medium to 6, High to 8, Very-High from 9. */
const SEVERITY = { low: 3, medium: 5, high: 8, critical: 10 } as const;

/** RFC 5424 section 6.2.1: critical, error, warning, informational. */
const SYSLOG_SEVERITY = { critical: 2, high: 3, medium: 4, low: 6 } as const;

/** Security and authorization messages, RFC 5424 section 6.2.1. */
const SYSLOG_FACILITY = 4;

const CONTROL = /[\p{Cc}\u2028\u2029]/gu;
/** Half of a surrogate pair cannot be encoded in UTF-8. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Turns an event into one line of ArcSight's Common Event Format, without the line feed. */
export function toCef(event: Event): string {
  const header = [
    PRODUCT.vendor,
    PRODUCT.name,
    PRODUCT.version,
    `${event.threat_category}.${event.action_taken}`,
    toTitle(event),
    String(SEVERITY[event.severity]),
  ];
  const extension = toExtension(event).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeValue(value)}`],
  );
  return `CEF:0|${header.map(escapeHeader).join('|')}|${extension.join(' ')}`;
}

/** The same line with an RFC 5424 header. */
export function toSyslogCef(event: Event): string {
  const priority = SYSLOG_FACILITY * 8 + SYSLOG_SEVERITY[event.severity];
  const at = new Date(event.timestamp).toISOString();
  return `<${priority}>1 ${at} ${event.device_id} tps - ${event.threat_category} - ${toCef(event)}`;
}

function toExtension(event: Event): [key: string, value: string | undefined][] {
  const { indicators = [], corrects_event_id, correction_reason } = event;
  const shown = takeWhole(indicators);
  const omitted = indicators.length - shown.length;
  const isLong = event.event_id.length > EXTERNAL_ID_LIMIT;
  const hash = indicators.map(classifyIndicator).find(({ kind }) => kind === 'file_sha256')?.value;
  return [
    ['rt', String(Date.parse(event.timestamp))],
    ['externalId', isLong ? undefined : event.event_id],
    ['deviceExternalId', event.device_id],
    ['act', event.action_taken],
    ['cat', event.threat_category],
    ['msg', shorten(event.description)],
    ['fileHash', hash],
    ...labelled('cfp1', 'confidence', String(event.confidence)),
    ...labelled('cs1', 'policyId', event.policy_id),
    ...labelled('cs2', 'tenantId', event.tenant_id),
    ...labelled('cs3', 'indicators', shown.length === 0 ? undefined : shown.join(',')),
    ...labelled('cn2', 'omittedIndicators', omitted === 0 ? undefined : String(omitted)),
    ...labelled('cs4', 'correctsEventId', corrects_event_id),
    ...labelled('cs5', 'correctionReason', shorten(correction_reason)),
    ...labelled('cs6', 'modelVersion', toText(event.metadata?.model_version)),
    ...labelled('flexString1', 'agentVersion', toText(event.metadata?.agent_version)),
    ...labelled('flexString2', 'eventId', isLong ? event.event_id : undefined),
    ...labelled('cn1', 'sequence', event.sequence === undefined ? undefined : String(event.sequence)),
  ];
}

/** A custom field is followed by its label. */
function labelled(key: string, label: string, value: string | undefined): [string, string | undefined][] {
  return value === undefined
    ? []
    : [
        [key, value],
        [`${key}Label`, label],
      ];
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? shorten(value) : undefined;
}

/** Escapes bars and backslashes in a header field, which cannot contain a line feed. */
function escapeHeader(text: string): string {
  return clean(text).replace(/[\\|]/g, '\\$&');
}

/** Escapes equals signs and backslashes in an extension value, and writes a line feed as `\n`. */
function escapeValue(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  return lines.map((line) => clean(line).replace(/[\\=]/g, '\\$&')).join('\\n');
}

function clean(text: string): string {
  return text.replace(CONTROL, ' ').replace(LONE_SURROGATE, '\ufffd');
}

/** Returns the first indicators that fit: part of a hash would look like another one. */
function takeWhole(indicators: readonly string[]): string[] {
  let length = -1;
  const end = indicators.findIndex((indicator) => {
    length += 1 + indicator.length;
    return length > LIST_LIMIT;
  });
  return end === -1 ? [...indicators] : indicators.slice(0, end);
}

/** Shortens free text between words where it can, and marks it with an ellipsis. */
function shorten(text: string | undefined): string | undefined {
  if (text === undefined || text.length <= TEXT_LIMIT) return text;
  const space = text.lastIndexOf(' ', TEXT_LIMIT - 1);
  const kept = text.slice(0, space > TEXT_LIMIT / 2 ? space : TEXT_LIMIT - 1);
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}
