import type { Severity, Threat, ThreatCategory, ThreatStatus } from '@tps/contract';
import { ID_PREFIXES, THREAT_EVENT_LIMIT } from '@tps/contract/vocabulary';
import { derivedId } from '../../platform/identifiers.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type FeedEvent, maxSeverity } from '../feed/index.ts';

/** Maximum number of indicators that a threat lists; the first ones stay. */
const MAX_INDICATORS = 100;

/** When something that events can have in common was last seen on a device, and in which threat. */
export interface Sighting {
  /** The key of the indicator or, for events without any, of the policy. */
  readonly correlationKey: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly threatId: string;
  /** 0 when, after corrections, no event counts any more. */
  readonly lastSeenAtMs: number;
}

export interface ThreatRecord {
  readonly threatId: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly severity: Severity;
  /** As stored. `threatStatusAt` returns the status to show. */
  readonly status: ThreatStatus;
  readonly detectedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly description: string | null;
  readonly indicators: readonly string[];
  readonly eventCount: number;
}

export interface ThreatWindows {
  /** Longest gap between two events of one threat. */
  readonly gapMs: number;
  /** Longest time from its first to its last event, and how long it must be quiet to count as resolved. */
  readonly spanMs: number;
}

/** Creates the threat that a warn or block event begins. The same event creates the same threat, id included. */
export function openThreat(event: FeedEvent): ThreatRecord {
  return {
    threatId: derivedId(ID_PREFIXES.threat, {
      atMs: event.receivedAtMs,
      order: event.position,
      seed: `threat ${event.tenantId} ${event.eventId}`,
    }),
    deviceId: event.deviceId,
    category: event.category,
    status: 'active',
    ...sumUp([event]),
  };
}

/** Whether the event is near enough in time to join the threat. No event joins a dismissed threat. */
export function canJoin(threat: ThreatRecord, event: FeedEvent, { gapMs, spanMs }: ThreatWindows): boolean {
  const at = event.decidedAtMs;
  const isNear = at <= threat.lastSeenAtMs + gapMs && at >= threat.detectedAtMs - gapMs;
  const spanAfter = Math.max(at, threat.lastSeenAtMs) - Math.min(at, threat.detectedAtMs);
  const hasRoom = threat.eventCount < THREAT_EVENT_LIMIT;
  return threat.status !== 'dismissed' && isNear && hasRoom && spanAfter <= spanMs;
}

/** Adds an event. A resolved threat that recurs is active again. */
export function joinThreat(threat: ThreatRecord, event: FeedEvent): ThreatRecord {
  return {
    ...threat,
    status: 'active',
    confidence: Math.max(threat.confidence, event.confidence),
    severity: maxSeverity(threat.severity, event.severity),
    detectedAtMs: Math.min(threat.detectedAtMs, event.decidedAtMs),
    lastSeenAtMs: Math.max(threat.lastSeenAtMs, event.decidedAtMs),
    description: threat.description ?? event.description ?? null,
    indicators: [...new Set([...threat.indicators, ...event.indicators])].slice(0, MAX_INDICATORS),
    eventCount: threat.eventCount + 1,
  };
}

/** Recomputes a threat from the events that still count, oldest first. Without any, it is dismissed. */
export function recomputeThreat(threat: ThreatRecord, events: readonly FeedEvent[]): ThreatRecord {
  if (events.length === 0) return { ...threat, status: 'dismissed', eventCount: 0 };
  return { ...threat, ...sumUp(events) };
}

/** The status to show at a time: a threat that has been quiet for long is resolved, without a write. */
function threatStatusAt(threat: ThreatRecord, nowMs: number, { spanMs }: ThreatWindows): ThreatStatus {
  return threat.status === 'active' && threat.lastSeenAtMs <= nowMs - spanMs ? 'resolved' : threat.status;
}

export function toThreat(threat: ThreatRecord, nowMs: number, windows: ThreatWindows): Threat {
  return {
    threat_id: threat.threatId,
    threat_category: threat.category,
    confidence: threat.confidence,
    severity: threat.severity,
    device_id: threat.deviceId,
    detected_at: toTimestamp(threat.detectedAtMs),
    ...(threat.description === null ? {} : { description: threat.description }),
    indicators: [...threat.indicators],
    status: threatStatusAt(threat, nowMs, windows),
    last_seen_at: toTimestamp(threat.lastSeenAtMs),
    event_count: threat.eventCount,
  };
}

type Summary = Omit<ThreatRecord, 'threatId' | 'deviceId' | 'category' | 'status'>;

function sumUp(events: readonly FeedEvent[]): Summary {
  const times = events.map((event) => event.decidedAtMs);
  return {
    confidence: events.reduce((highest, { confidence }) => Math.max(highest, confidence), 0),
    severity: events.reduce<Severity>((highest, { severity }) => maxSeverity(highest, severity), 'low'),
    detectedAtMs: times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER),
    lastSeenAtMs: times.reduce((a, b) => Math.max(a, b), 0),
    description: events.find(({ description }) => description !== undefined)?.description ?? null,
    indicators: [...new Set(events.flatMap(({ indicators }) => indicators))].slice(0, MAX_INDICATORS),
    eventCount: events.length,
  };
}
