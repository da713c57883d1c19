import { setImmediate } from 'node:timers/promises';
import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import type { ReadQueries } from '../../../database/index.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { digestOf } from '../../feed/index.ts';
import type { EventRow } from './case-read-model.ts';
import * as caseReadModel from './case-read-model.ts';
import { cutBeforeRedaction, oneLine } from './free-text.ts';

/** The parts of a stored event that triage uses. Its texts are cut but not yet redacted. */
export type EventFacts = EventRow &
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
 * How many texts are read and parsed before the event loop runs other work. An event can be 40 kB and name 64 indicators:
 * parsing a thousand of those takes 0.4 s, and ten of them 4 ms.
 */
const BATCH_SIZE = 10;

/** Reads and parses the texts of events, a few at a time. One that was erased meanwhile is left out. */
export async function readEvents(
  queries: ReadQueries,
  tenantId: TenantId,
  rows: readonly EventRow[],
): Promise<EventFacts[]> {
  const read: EventFacts[] = [];
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const batch = rows.slice(start, start + BATCH_SIZE);
    const bodies = await caseReadModel.findBodies(
      queries,
      tenantId,
      batch.map((row) => row.position),
    );
    for (const row of batch) {
      const body = bodies.get(row.position);
      if (body !== undefined) read.push(readEvent(row, body));
    }
    await setImmediate();
  }
  return read;
}

function readEvent(row: EventRow, body: string): EventFacts {
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
