import type { Database, Queries } from '../../../database/index.ts';
import { runThenPause } from '../../../platform/concurrency/run-then-pause.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { deviceStore } from '../../devices/index.ts';
import { feedHeadStore, feedStore } from '../../feed/index.ts';
import {
  type Counts,
  countEvents,
  DAY_MS,
  dayOf,
  HOUR_MS,
  hourOf,
  STATISTICS_COLUMNS,
  statisticsStore,
} from '../../statistics/index.ts';
import type { StoredCountedEvent } from './statistics-source-read-model.ts';
import * as sources from './statistics-source-read-model.ts';

type Range = statisticsStore.StatisticsRange;
type EventCounts = statisticsStore.TenantCounts<'event_statistics'>;

/** A day with more events is counted hour by hour: the tenant's events wait during each transaction. */
const MAX_EVENTS_AT_ONCE = 20_000;
const PAGE = 1_000;

const ALERT_COLUMNS = STATISTICS_COLUMNS.event_statistics.filter((column) => column.startsWith('alerts_'));
const EVENT_COLUMNS = STATISTICS_COLUMNS.event_statistics.filter((column) => !column.startsWith('alerts_'));

export interface RecountScope {
  readonly database: Database;
  readonly tenantId: TenantId;
  readonly nowMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Counts the events of a tenant again, and the alerts that they opened, from the first days of which all are stored. Each
 * transaction locks the end of the feed and counts a day, or an hour. Returns the number of events.
 */
export async function recountEvents(
  scope: RecountScope,
  {
    keptSinceMs,
    eventsSinceMs,
    alertsSinceMs,
  }: { keptSinceMs: number; eventsSinceMs: number; alertsSinceMs: number },
): Promise<number> {
  const { database, tenantId, signal } = scope;
  const firstMs = Math.max(await findFirstWholeDay(scope, eventsSinceMs), keptSinceMs);
  const head = await feedHeadStore.read(database.read, tenantId);
  if (head.position === 0) return 0;
  const lastMs = dayOf(Math.max(scope.nowMs, head.receivedAtMs));
  let total = 0;
  for (let dayMs = Math.min(firstMs, alertsSinceMs, lastMs); dayMs <= lastMs; dayMs += DAY_MS) {
    const day = { sinceMs: dayMs, untilMs: dayMs + DAY_MS };
    const events = dayMs >= firstMs ? await countStored(scope, day) : 0;
    if (events === 0 && !(await isCounted(scope, day))) continue;
    /** The arrival of each device's last event on this day. */
    const seen = new Map<string, number>();
    for (const range of events > MAX_EVENTS_AT_ONCE ? hoursOf(day) : [day]) {
      signal?.throwIfAborted();
      await runThenPause(
        () =>
          database.transaction(async (tx) => {
            await feedHeadStore.lock(tx, tenantId);
            if (dayMs >= firstMs) total += await recountRange(tx, tenantId, { range, seen });
            if (dayMs >= alertsSinceMs) await recountAlerts(tx, tenantId, range);
            if (dayMs >= firstMs && dayMs === lastMs) {
              await deviceStore.replaceLastEvents(tx, tenantId, { ...range, lastEventAtMs: seen });
            }
          }),
        signal,
      );
    }
  }
  return total;
}

/** The day of the oldest event if no event was purged, otherwise the day after it. */
async function findFirstWholeDay({ database, tenantId }: RecountScope, sinceMs: number): Promise<number> {
  const position = await feedStore.findFirstPosition(database.read, tenantId);
  if (position === undefined) return Number.POSITIVE_INFINITY;
  const arrivalMs = (await sources.findArrival(database.read, tenantId, position)) ?? 0;
  return position === 1 ? dayOf(arrivalMs) : Math.max(dayOf(arrivalMs) + DAY_MS, sinceMs);
}

async function countStored(
  { database, tenantId }: RecountScope,
  { sinceMs, untilMs }: Range,
): Promise<number> {
  const after = await feedStore.findPositionBefore(database.read, tenantId, sinceMs);
  return (await feedStore.findPositionBefore(database.read, tenantId, untilMs)) - after;
}

async function isCounted({ database, tenantId }: RecountScope, range: Range): Promise<boolean> {
  const query = { tenantId, sums: [['devices']], bucketMs: DAY_MS, ...range };
  return (await statisticsStore.listSums(database.read, 'event_statistics', query)).length > 0;
}

function hoursOf({ sinceMs, untilMs }: Range): Range[] {
  const count = (untilMs - sinceMs) / HOUR_MS;
  return Array.from({ length: count }, (_, index) => ({
    sinceMs: sinceMs + index * HOUR_MS,
    untilMs: sinceMs + (index + 1) * HOUR_MS,
  }));
}

/** Counts the events of a range. `seen` has the devices of the day before it, and is completed. */
async function recountRange(
  tx: Queries,
  tenantId: TenantId,
  { range, seen }: { range: Range; seen: Map<string, number> },
): Promise<number> {
  await statisticsStore.clear(tx, 'event_statistics', { tenantId, columns: EVENT_COLUMNS, ...range });
  const until = await feedStore.findPositionBefore(tx, tenantId, range.untilMs);
  let after = await feedStore.findPositionBefore(tx, tenantId, range.sinceMs);
  const total = Math.max(0, until - after);
  const counts: EventCounts[] = [];
  for (;;) {
    const events = await sources.listEvents(tx, tenantId, { after, until, limit: PAGE });
    if (events.length === 0) break;
    for (const [hourMs, ofHour] of byHour(events)) {
      const lastEventAtMs = (deviceId: string) => seen.get(deviceId) ?? null;
      counts.push({ tenantId, atMs: hourMs, counts: countEvents(ofHour, { atMs: hourMs, lastEventAtMs }) });
      for (const { deviceId, receivedAtMs } of ofHour) seen.set(deviceId, receivedAtMs);
    }
    after = events.at(-1)?.position ?? until;
  }
  await statisticsStore.add(tx, 'event_statistics', counts);
  return total;
}

function byHour(events: readonly StoredCountedEvent[]): Map<number, StoredCountedEvent[]> {
  const hours = new Map<number, StoredCountedEvent[]>();
  for (const event of events) {
    const hourMs = hourOf(event.receivedAtMs);
    const ofHour = hours.get(hourMs);
    if (ofHour) ofHour.push(event);
    else hours.set(hourMs, [event]);
  }
  return hours;
}

async function recountAlerts(tx: Queries, tenantId: TenantId, range: Range): Promise<void> {
  await statisticsStore.clear(tx, 'event_statistics', { tenantId, columns: ALERT_COLUMNS, ...range });
  const alerts = await sources.listAlerts(tx, tenantId, range);
  const added = alerts.map(({ category, createdAtMs }): EventCounts => {
    const counts: Counts<'event_statistics'> = { [`alerts_${category}` as const]: 1 };
    return { tenantId, atMs: createdAtMs, counts };
  });
  await statisticsStore.add(tx, 'event_statistics', added);
}
