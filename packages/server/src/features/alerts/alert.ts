import type { Alert, AlertStatus, Severity, ThreatCategory } from '@tps/contract';
import { ALERT_EVENT_LIMIT, ID_PREFIXES } from '@tps/contract/vocabulary';
import { derivedId } from '../../platform/identifiers.ts';
import { toTimestamp } from '../../platform/time.ts';
import { digestOf, type FeedEvent, isAtLeast, maxSeverity } from '../feed/index.ts';

export interface AlertRecord {
  readonly alertId: string;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly severity: Severity;
  readonly title: string;
  readonly status: AlertStatus;
  readonly eventIds: readonly string[];
  readonly threatId: string;
  readonly incidentId: string | null;
  /** Null when no event may join. */
  readonly mergeKey: string | null;
  readonly firstEventAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A block always needs attention, a warning from severity high, an allow never. */
export function isAlerting(event: Pick<FeedEvent, 'action' | 'severity'>): boolean {
  return event.action === 'block' || (event.action === 'warn' && isAtLeast(event.severity, 'high'));
}

/** Events with the same key report the same thing. Without indicators there is no such key. */
export function mergeKeyOf(event: FeedEvent): string | null {
  const { deviceId, category, policyId, indicators } = event;
  return indicators.length === 0 ? null : digestOf(deviceId, category, policyId, ...indicators);
}

/** Creates the alert of an alerting event. The same event creates the same alert, id included. */
export function openAlert(event: FeedEvent, threatId: string): AlertRecord {
  return {
    alertId: derivedId(ID_PREFIXES.alert, {
      atMs: event.receivedAtMs,
      order: event.position,
      seed: `alert ${event.tenantId} ${event.eventId}`,
    }),
    deviceId: event.deviceId,
    category: event.category,
    severity: event.severity,
    title: titleOf(event),
    status: 'open',
    eventIds: [event.eventId],
    threatId,
    incidentId: null,
    mergeKey: mergeKeyOf(event),
    firstEventAtMs: event.decidedAtMs,
    createdAtMs: event.receivedAtMs,
    updatedAtMs: event.receivedAtMs,
  };
}

/** Whether an event with the alert's merge key may join it. */
export function canMerge(alert: AlertRecord, event: FeedEvent, mergeWindowMs: number): boolean {
  const distanceMs = Math.abs(event.decidedAtMs - alert.firstEventAtMs);
  return alert.status === 'open' && distanceMs <= mergeWindowMs && alert.eventIds.length < ALERT_EVENT_LIMIT;
}

export function mergeInto(alert: AlertRecord, event: FeedEvent): AlertRecord {
  return {
    ...alert,
    severity: maxSeverity(alert.severity, event.severity),
    eventIds: [...alert.eventIds, event.eventId],
    updatedAtMs: event.receivedAtMs,
  };
}

/**
 * Recomputes an alert from the events that still count, and resolves it if there are none. Its references stay, so
 * that the reason for the alert remains visible.
 */
export function recomputeAlert(
  alert: AlertRecord,
  events: readonly FeedEvent[],
  correction: FeedEvent,
): AlertRecord {
  const updatedAtMs = correction.receivedAtMs;
  if (events.length === 0) return { ...alert, status: 'resolved', updatedAtMs };
  const severity = events.reduce<Severity>((highest, event) => maxSeverity(highest, event.severity), 'low');
  const isReferred = !events.includes(correction) || alert.eventIds.length >= ALERT_EVENT_LIMIT;
  return {
    ...alert,
    severity,
    updatedAtMs,
    eventIds: isReferred ? alert.eventIds : [...alert.eventIds, correction.eventId],
  };
}

export function toAlert(alert: AlertRecord, tenantId: string): Alert {
  return {
    alert_id: alert.alertId,
    tenant_id: tenantId,
    device_id: alert.deviceId,
    severity: alert.severity,
    title: alert.title,
    event_ids: [...alert.eventIds],
    status: alert.status,
    created_at: toTimestamp(alert.createdAtMs),
    updated_at: toTimestamp(alert.updatedAtMs),
    threat_id: alert.threatId,
    incident_id: alert.incidentId,
    threat_category: alert.category,
  };
}

const CATEGORY_WORDS: Record<ThreatCategory, string> = {
  phone_scam: 'Phone scam',
  social_engineering: 'Social engineering',
  malicious_app: 'Malicious app',
  phishing: 'Phishing',
  remote_control: 'Remote control',
  deepfake: 'Deepfake',
};

export function categoryWords(category: ThreatCategory): string {
  return CATEGORY_WORDS[category];
}

function titleOf({ category, action }: FeedEvent): string {
  return `${categoryWords(category)} ${action === 'block' ? 'blocked' : 'warning'}`;
}
