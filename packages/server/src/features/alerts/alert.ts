import {
  ALERT_EVENT_LIMIT,
  type Alert,
  type AlertStatus,
  ID_PREFIXES,
  type Severity,
  type ThreatCategory,
} from '@tps/contract';
import { derivedId } from '../../platform/identifiers.ts';
import { toTimestamp } from '../../platform/time.ts';
import { type Decision, digestOf, graver, isAtLeast } from '../feed/index.ts';

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
  /** Null when nothing may join. */
  readonly mergeKey: string | null;
  readonly firstEventAtMs: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A block always deserves attention, a warning when it is grave, an allow never. */
export function isAlerting(decision: Pick<Decision, 'action' | 'severity'>): boolean {
  return decision.action === 'block' || (decision.action === 'warn' && isAtLeast(decision.severity, 'high'));
}

/** Events with the same key tell of the same thing. Without indicators there is nothing to tell that by. */
export function mergeKeyOf(decision: Decision): string | null {
  const { deviceId, category, policyId, indicators } = decision;
  return indicators.length === 0 ? null : digestOf(deviceId, category, policyId, ...indicators);
}

/** Makes the alert of an alerting event. The same event makes the same alert, id included. */
export function openAlert(decision: Decision, threatId: string): AlertRecord {
  return {
    alertId: derivedId(ID_PREFIXES.alert, {
      atMs: decision.receivedAtMs,
      order: decision.position,
      seed: `alert ${decision.tenantId} ${decision.eventId}`,
    }),
    deviceId: decision.deviceId,
    category: decision.category,
    severity: decision.severity,
    title: titleOf(decision),
    status: 'open',
    eventIds: [decision.eventId],
    threatId,
    incidentId: null,
    mergeKey: mergeKeyOf(decision),
    firstEventAtMs: decision.decidedAtMs,
    createdAtMs: decision.receivedAtMs,
    updatedAtMs: decision.receivedAtMs,
  };
}

/** Whether an event with the alert's merge key joins it. */
export function canMerge(alert: AlertRecord, decision: Decision, mergeWindowMs: number): boolean {
  const distanceMs = Math.abs(decision.decidedAtMs - alert.firstEventAtMs);
  return alert.status === 'open' && distanceMs <= mergeWindowMs && alert.eventIds.length < ALERT_EVENT_LIMIT;
}

export function mergeInto(alert: AlertRecord, decision: Decision): AlertRecord {
  return {
    ...alert,
    severity: graver(alert.severity, decision.severity),
    eventIds: [...alert.eventIds, decision.eventId],
    updatedAtMs: decision.receivedAtMs,
  };
}

/**
 * Works an alert out again from the events that still count. It resolves when none does. What it refers to stays, so
 * that nobody loses track of why it was raised.
 */
export function recomputeAlert(
  alert: AlertRecord,
  decisions: readonly Decision[],
  correction: Decision,
): AlertRecord {
  const updatedAtMs = correction.receivedAtMs;
  if (decisions.length === 0) return { ...alert, status: 'resolved', updatedAtMs };
  const severity = decisions.reduce<Severity>(
    (gravest, decision) => graver(gravest, decision.severity),
    'low',
  );
  const isReferred = !decisions.includes(correction) || alert.eventIds.length >= ALERT_EVENT_LIMIT;
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

function titleOf({ category, action }: Decision): string {
  return `${categoryWords(category)} ${action === 'block' ? 'blocked' : 'warning'}`;
}
