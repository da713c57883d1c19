import type { DeviceChainState } from '../../feed/index.ts';
import type { CaseEvent } from './case-file.ts';
import type { FreeTexts } from './free-text.ts';
import { type EventFacts, MAX_DESCRIPTION_LENGTH, MAX_INDICATOR_LENGTH } from './read-events.ts';

/** Converts an event for the case; without `texts`, its free texts are left out. */
export function toCaseEvent(facts: EventFacts, texts?: FreeTexts): CaseEvent {
  const take = (text: string | null, longest: number) =>
    texts?.takeOptional(facts.event_id, text, longest) ?? null;
  return {
    eventId: facts.event_id,
    position: facts.position,
    atMs: facts.timestamp,
    receivedAtMs: facts.received_at,
    deviceId: facts.device_id,
    category: facts.threat_category,
    confidence: facts.confidence,
    action: facts.action_taken,
    policyId: facts.policy_id,
    severity: facts.severity,
    description: take(facts.description, MAX_DESCRIPTION_LENGTH),
    indicators: [...facts.indicators]
      .sort()
      .flatMap((indicator) => take(indicator, MAX_INDICATOR_LENGTH) ?? []),
    keys: [...facts.keys].sort(),
    chain: facts.device_chain as DeviceChainState,
    alertId: facts.alert_id,
    threatId: facts.threat_id,
    corrects: facts.corrects_event_id,
    correctionReason: take(facts.correction_reason, MAX_DESCRIPTION_LENGTH),
  };
}

/** Whether the event names another tenant. */
export function isForeign({ tenant_ids }: EventFacts, tenantId: string): boolean {
  return tenant_ids.some((named) => named !== tenantId);
}

/** A root event with its current version: the newest correction, or itself. */
export interface Observation {
  readonly root: CaseEvent;
  readonly current: CaseEvent;
}

/** Pairs root events with their current versions, oldest first. A correction of an absent event counts as a root. */
export function toObservations(events: readonly CaseEvent[]): Observation[] {
  const roots = new Map<string, CaseEvent>();
  const current = new Map<string, CaseEvent>();
  for (const event of [...events].sort((a, b) => a.position - b.position)) {
    const rootId = event.corrects ?? event.eventId;
    if (!roots.has(rootId)) roots.set(rootId, event);
    current.set(rootId, event);
  }
  return [...roots]
    .map(([rootId, root]) => ({ root, current: current.get(rootId) ?? root }))
    .sort((a, b) => a.root.atMs - b.root.atMs || a.root.position - b.root.position);
}

export function isHarmful({ current }: Observation): boolean {
  return current.action !== 'allow';
}

/** Whether a warning or block was corrected to allow. */
export function isWithdrawn({ root, current }: Observation): boolean {
  return root.action !== 'allow' && current.action === 'allow';
}

export function isBroken({ chain }: Pick<CaseEvent, 'chain'>): boolean {
  return chain === 'gap' || chain === 'fork';
}
