import type { Event, Severity } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { ALERT_EVENT_LIMIT } from '@tps/contract/vocabulary';
import type { ReadQueries } from '../../../database/index.ts';
import type { Row } from '../../../database/tables/index.ts';
import { timeOfId } from '../../../platform/identifiers.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { openAlert } from '../../alerts/index.ts';
import { type FeedEvent, maxSeverity, toFeedEvent } from '../../feed/index.ts';
import { type DerivedKind, problemsOf, verifyKind } from './derived-kind.ts';
import * as derivedReadModel from './derived-read-model.ts';
import type { Findings } from './finding.ts';
import * as incidentReadModel from './incident-read-model.ts';
import type { Removals } from './recorded-removals.ts';
import { pagesOf } from './rows-read-model.ts';

/** A threat lists at most this many indicators, so more cannot be compared. */
const MAX_INDICATORS = 100;
const STATUSES = ['active', 'resolved', 'dismissed'];

/** Recomputes each threat from the events that count in it, if all of its events are still stored. */
export async function verifyThreats(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Row<'threats'>> = {
    idOf: (row) => row.threat_id,
    find: (ids) => derivedReadModel.findThreats(queries, tenantId, ids),
    async compare(rows) {
      const ids = rows.map((row) => row.threat_id);
      const linked = await derivedReadModel.listOfThreats(queries, tenantId, ids);
      const events = group(linked.filter(counts), (event) => event.threat_id ?? '');
      const ended = await incidentReadModel.findEnded(queries, tenantId, { kind: 'threat', ids });
      return problemsOf(rows, (row) => [
        row.threat_id,
        whyThreatDiffers(
          row,
          (events.get(row.threat_id) ?? []).map((event) => toEvent(tenantId, event)),
          { mayEnd: ended.has(row.threat_id) || mayBeEnded(row.threat_id, removals) },
        ),
      ]);
    },
  };
  return verifyKind(queries, tenantId, {
    kind,
    pages: pagesOf(queries, 'threats', { tenantId, key: ['threat_id'] }),
  });
}

/** Recomputes each alert from the event that opened it and the events that count in it, if they are still stored. */
export async function verifyAlerts(
  queries: ReadQueries,
  tenantId: TenantId,
  removals: Removals,
): Promise<Findings> {
  const kind: DerivedKind<Row<'alerts'>> = {
    idOf: (row) => row.alert_id,
    find: (ids) => derivedReadModel.findAlerts(queries, tenantId, ids),
    async compare(rows) {
      const linked = await derivedReadModel.listEvents(queries, tenantId, rows.flatMap(eventIdsOf));
      const events = new Map(linked.map((event) => [event.event_id, event]));
      const ids = rows.map((row) => row.alert_id);
      const ended = await incidentReadModel.findEnded(queries, tenantId, { kind: 'alert', ids });
      return problemsOf(rows, (row) => [
        row.alert_id,
        whyAlertDiffers(row, {
          tenantId,
          linked: eventIdsOf(row).map((eventId) => events.get(eventId)),
          mayEnd: ended.has(row.alert_id) || mayBeEnded(row.alert_id, removals),
        }),
      ]);
    },
  };
  return verifyKind(queries, tenantId, {
    kind,
    pages: pagesOf(queries, 'alerts', { tenantId, key: ['alert_id'] }),
  });
}

/** Whether the incident that ended it may have been removed. */
function mayBeEnded(id: string, { purgedBeforeMs, deletedBeforeMs }: Removals): boolean {
  return timeOfId(id) < Math.max(purgedBeforeMs, deletedBeforeMs);
}

function whyThreatDiffers(
  row: Row<'threats'>,
  events: readonly FeedEvent[],
  { mayEnd }: { mayEnd: boolean },
): string | undefined {
  const differs = (what: string) => `${what} of threat ${row.threat_id} does not follow from its events`;
  if (row.event_count !== events.length) return differs('event_count');
  if (events.length === 0) return row.status === 'dismissed' ? undefined : differs('status');
  if (!STATUSES.includes(row.status) || (row.status !== 'active' && !mayEnd)) return differs('status');
  const times = events.map((event) => event.decidedAtMs);
  const indicators = new Set(events.flatMap((event) => event.indicators));
  const own = JSON.parse(row.indicators) as string[];
  if (events.some((event) => event.deviceId !== row.device_id)) return differs('device_id');
  if (events.some((event) => event.category !== row.threat_category)) return differs('threat_category');
  if (row.confidence !== Math.max(...events.map((event) => event.confidence))) return differs('confidence');
  if (row.severity !== highest(events)) return differs('severity');
  if (row.detected_at !== Math.min(...times)) return differs('detected_at');
  if (row.last_seen_at !== Math.max(...times)) return differs('last_seen_at');
  if (indicators.size <= MAX_INDICATORS && !isSameSet(indicators, own)) return differs('indicators');
  const descriptions = events.flatMap((event) => event.description ?? []);
  const isGiven =
    row.description === null ? descriptions.length === 0 : descriptions.includes(row.description);
  return isGiven ? undefined : differs('description');
}

function whyAlertDiffers(
  row: Row<'alerts'>,
  parts: {
    tenantId: TenantId;
    linked: readonly (derivedReadModel.LinkedEvent | undefined)[];
    mayEnd: boolean;
  },
): string | undefined {
  const differs = (what: string) => `${what} of alert ${row.alert_id} does not follow from its events`;
  const { tenantId, linked, mayEnd } = parts;
  const [opening] = linked;
  if (!opening || linked.some((event) => event?.alert_id !== row.alert_id)) return differs('event_ids');
  const fresh = openAlert(toEvent(tenantId, opening), opening.threat_id ?? '');
  if (row.alert_id !== fresh.alertId) return differs('alert_id');
  if (row.device_id !== fresh.deviceId) return differs('device_id');
  if (row.threat_category !== fresh.category) return differs('threat_category');
  if (row.title !== fresh.title) return differs('title');
  if (row.threat_id !== fresh.threatId) return differs('threat_id');
  if (row.merge_key !== fresh.mergeKey) return differs('merge_key');
  if (row.first_event_at !== fresh.firstEventAtMs) return differs('first_event_at');
  if (row.created_at !== fresh.createdAtMs) return differs('created_at');
  // A full alert does not name later corrections.
  if (linked.length >= ALERT_EVENT_LIMIT) return undefined;
  const events = linked.flatMap((event) => (event && counts(event) ? [toEvent(tenantId, event)] : []));
  if (events.length === 0) return row.status === 'resolved' ? undefined : differs('status');
  if (row.status !== 'open' && !(row.status === 'resolved' && mayEnd)) return differs('status');
  return row.severity === highest(events) ? undefined : differs('severity');
}

export function counts({ replaced_at }: derivedReadModel.LinkedEvent): boolean {
  return replaced_at === null;
}

function highest(events: readonly FeedEvent[]): Severity {
  return events.reduce<Severity>((most, event) => maxSeverity(most, event.severity), 'low');
}

function isSameSet(one: ReadonlySet<string>, other: readonly string[]): boolean {
  return one.size === other.length && other.every((each) => one.has(each));
}

export function eventIdsOf(row: Row<'alerts'>): string[] {
  return JSON.parse(row.event_ids) as string[];
}

/** Reads an event as derivation does. */
export function toEvent(tenantId: TenantId, row: derivedReadModel.LinkedEvent): FeedEvent {
  return toFeedEvent(readJson(row.body) as Event, {
    tenantId,
    position: row.position,
    receivedAtMs: row.received_at,
    decidedAtMs: row.decided_at,
    deviceChain: row.device_chain as FeedEvent['deviceChain'],
  });
}

export function group<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const own = groups.get(key);
    if (own) own.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
