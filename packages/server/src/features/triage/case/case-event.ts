import type { Event } from '@tps/contract';
import type { Selectable } from 'kysely';
import type { EventsTable } from '../../../database/tables/index.ts';
import { type DeviceChainState, digestOf } from '../../events/index.ts';
import type { CaseEvent } from './case-file.ts';
import type { FreeTexts } from './free-text.ts';

export type EventRow = Pick<
  Selectable<EventsTable>,
  | 'event_id'
  | 'position'
  | 'timestamp'
  | 'received_at'
  | 'device_id'
  | 'device_chain'
  | 'alert_id'
  | 'threat_id'
  | 'corrects_event_id'
  | 'body'
>;

const LONGEST_DESCRIPTION = 200;
const LONGEST_INDICATOR = 120;
const SHOWN_INDICATORS = 3;
/** An event can name 64 of 512 characters; a thousand such events must fit into what a step may put out. */
const MOST_KEYS = 32;

/** Reads a stored event. Whether it names the tenant is a question for the caller, who keeps the answer. */
export function toCaseEvent(row: EventRow, texts: FreeTexts): { event: CaseEvent; tenantIds: string[] } {
  const body = JSON.parse(row.body) as Event;
  const indicators = [...new Set(body.indicators)].sort();
  const take = (text: string | undefined) => texts.takeOptional(row.event_id, text, LONGEST_DESCRIPTION);
  const event: CaseEvent = {
    eventId: row.event_id,
    position: row.position,
    atMs: row.timestamp,
    receivedAtMs: row.received_at,
    deviceId: row.device_id,
    category: body.threat_category,
    confidence: body.confidence,
    action: body.action_taken,
    policyId: body.policy_id,
    severity: body.severity,
    description: take(body.description),
    indicators: indicators
      .slice(0, SHOWN_INDICATORS)
      .map((indicator) => texts.take(row.event_id, indicator, LONGEST_INDICATOR)),
    keys: indicators.slice(0, MOST_KEYS).map((indicator) => digestOf('indicator', indicator)),
    chain: row.device_chain as DeviceChainState,
    alertId: row.alert_id,
    threatId: row.threat_id,
    corrects: row.corrects_event_id,
    correctionReason: take(body.correction_reason),
  };
  const copy = body.metadata?.tenant_id;
  return { event, tenantIds: copy === undefined ? [body.tenant_id] : [body.tenant_id, copy] };
}

/** A root event with the one that counts in its place: the newest correction or itself. */
export interface Finding {
  readonly root: CaseEvent;
  readonly current: CaseEvent;
}

/** Pairs root events with what counts now, oldest first. Corrections of events that are not here count by themselves. */
export function findingsOf(events: readonly CaseEvent[]): Finding[] {
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

export function isHarmful({ current }: Finding): boolean {
  return current.action !== 'allow';
}

/** Whether somebody has taken the decision back. An event that was an allow from the start was not. */
export function isWithdrawn({ root, current }: Finding): boolean {
  return root.action !== 'allow' && current.action === 'allow';
}

export function isBroken({ chain }: Pick<CaseEvent, 'chain'>): boolean {
  return chain === 'gap' || chain === 'fork';
}
