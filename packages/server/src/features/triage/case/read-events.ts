import { setImmediate } from 'node:timers/promises';
import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import type { Selectable } from 'kysely';
import type { EventsTable } from '../../../database/tables/index.ts';
import { digestOf } from '../../feed/index.ts';
import { cutBeforeRedaction, oneLine } from './free-text.ts';

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

/** The parts of a stored event that triage uses. Its texts are cut but not yet redacted. */
export type EventFacts = Omit<EventRow, 'body'> &
  Pick<Event, 'threat_category' | 'confidence' | 'action_taken' | 'policy_id' | 'severity'> & {
    readonly description: string | null;
    readonly correction_reason: string | null;
    /** The first few. */
    readonly indicators: readonly string[];
    /** Digests of all indicators. */
    readonly keys: readonly string[];
    /** The tenants that the event names. */
    readonly tenant_ids: readonly string[];
  };

export const MAX_DESCRIPTION_LENGTH = 200;
export const MAX_INDICATOR_LENGTH = 120;
const MAX_SHOWN_INDICATORS = 3;
/**
 * How many events are parsed before the event loop runs other work. An event can be 40 kB and name 64 indicators:
 * parsing a thousand of those takes 0.4 s, and ten of them 4 ms.
 */
const BATCH_SIZE = 10;

/** Parses stored events, a few at a time. */
export async function readEvents(rows: readonly EventRow[]): Promise<EventFacts[]> {
  const read: EventFacts[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % BATCH_SIZE === BATCH_SIZE - 1) await setImmediate();
    read.push(readEvent(row));
  }
  return read;
}

function readEvent({ body, ...row }: EventRow): EventFacts {
  const event = readJson(body) as Event;
  const indicators = [...new Set(event.indicators)].sort();
  const copy = event.metadata?.tenant_id;
  return {
    ...row,
    threat_category: event.threat_category,
    confidence: event.confidence,
    action_taken: event.action_taken,
    policy_id: event.policy_id,
    severity: event.severity,
    description: readText(event.description, MAX_DESCRIPTION_LENGTH),
    correction_reason: readText(event.correction_reason, MAX_DESCRIPTION_LENGTH),
    indicators: indicators
      .slice(0, MAX_SHOWN_INDICATORS)
      .map((indicator) => cutBeforeRedaction(oneLine(indicator), MAX_INDICATOR_LENGTH)),
    keys: indicators.map((indicator) => digestOf('indicator', indicator)),
    tenant_ids: copy === undefined ? [event.tenant_id] : [event.tenant_id, copy],
  };
}

function readText(written: string | undefined, maxLength: number): string | null {
  return written === undefined ? null : cutBeforeRedaction(oneLine(written), maxLength);
}
