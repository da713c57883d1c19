import { hash } from 'node:crypto';
import type { Action, Event, Severity, ThreatCategory } from '@tps/contract';
import type { DEVICE_CHAIN_STATES } from '@tps/contract/vocabulary';
import type { TenantId } from '../../platform/tenant-id.ts';

export type DeviceChainState = (typeof DEVICE_CHAIN_STATES)[number];

/** An accepted event as derivation sees it: redacted, with its position in the feed. */
export interface FeedEvent extends EventSubject {
  readonly tenantId: TenantId;
  readonly eventId: string;
  readonly position: number;
  readonly receivedAtMs: number;
  /** When the device decided. A correction has the time of the event that it corrects. */
  readonly decidedAtMs: number;
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly confidence: number;
  readonly action: Action;
  readonly policyId: string;
  readonly severity: Severity;
  readonly description: string | undefined;
  readonly deviceChain: DeviceChainState;
}

/** What an event is about. */
export interface EventSubject {
  /** Sorted, without duplicates. */
  readonly indicators: readonly string[];
  /** Two events with a common key are about the same thing: a key per indicator, in order, or one for the policy. */
  readonly correlationKeys: readonly string[];
}

/** Where an event stands in the feed, in addition to its content. */
export interface FeedPosition {
  readonly tenantId: TenantId;
  readonly position: number;
  readonly receivedAtMs: number;
  readonly decidedAtMs: number;
  readonly deviceChain: DeviceChainState;
}

export function toFeedEvent(
  event: Event,
  { subject = subjectOf(event), ...position }: FeedPosition & { readonly subject?: EventSubject },
): FeedEvent {
  return {
    ...position,
    ...subject,
    eventId: event.event_id,
    deviceId: event.device_id,
    category: event.threat_category,
    confidence: event.confidence,
    action: event.action_taken,
    policyId: event.policy_id,
    severity: event.severity,
    description: event.description,
  };
}

/** Computes a hash for each indicator. */
export function subjectOf(event: Pick<Event, 'indicators' | 'policy_id'>): EventSubject {
  const indicators = [...new Set(event.indicators)].sort();
  return { indicators, correlationKeys: correlationKeysOf(indicators, event.policy_id) };
}

/** A short key for looking things up by content: the first 132 bits of SHA-256 in base64url. */
export function digestOf(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);
}

/** Returns the keys of what an event is about. */
export function correlationKeysOf(indicators: readonly string[], policyId: string): string[] {
  if (indicators.length === 0) return [digestOf('policy', policyId)];
  return indicators.map(indicatorKeyOf);
}

/** Returns the key under which sightings of an indicator are looked up. */
export function indicatorKeyOf(indicator: string): string {
  return digestOf('indicator', indicator);
}
