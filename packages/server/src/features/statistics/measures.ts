import type { StatisticsBreakdown, StatisticsInterval, StatisticsMeasure } from '@tps/contract';
import { ACTIONS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { DURATION_CLASSES } from './duration-class.ts';
import {
  EVENT_PLATFORMS,
  INCIDENT_CATEGORIES,
  STATISTICS_COLUMNS,
  type StatisticsTable,
} from './statistics-columns.ts';

/** Columns by the value that they count. */
type ColumnsByKey = Readonly<Record<string, string>>;

/** Where a measure is stored. Its count in a bucket is the sum of the columns of `total`. */
export interface MeasureSource {
  readonly table: StatisticsTable;
  readonly total: readonly string[];
  readonly breakdowns: Partial<Readonly<Record<StatisticsBreakdown, ColumnsByKey>>>;
}

function byKey(prefix: string, keys: readonly string[]): ColumnsByKey {
  return Object.fromEntries(keys.map((key) => [key, `${prefix}_${key}`]));
}

function divided(
  table: StatisticsTable,
  breakdowns: MeasureSource['breakdowns'],
  whole: ColumnsByKey,
): MeasureSource {
  return { table, breakdowns, total: Object.values(whole) };
}

function plain(table: StatisticsTable, ...total: readonly string[]): MeasureSource {
  return { table, total, breakdowns: {} };
}

const ACTIONS_OF_EVENTS = byKey('action', ACTIONS);
const ALERT_CATEGORIES = byKey('alerts', THREAT_CATEGORIES);
const OPENED = byKey('opened', INCIDENT_CATEGORIES);
const RESOLVED = byKey('resolved', INCIDENT_CATEGORIES);
const VERDICTS = byKey('verdict', ACTIONS);

const SOURCES: Readonly<Record<Exclude<StatisticsMeasure, 'devices'>, MeasureSource>> = {
  events: divided(
    'event_statistics',
    {
      category: byKey('category', THREAT_CATEGORIES),
      action: ACTIONS_OF_EVENTS,
      severity: byKey('severity', SEVERITIES),
      platform: byKey('platform', EVENT_PLATFORMS),
    },
    ACTIONS_OF_EVENTS,
  ),
  corrections: plain('event_statistics', 'corrections'),
  alerts: divided('event_statistics', { category: ALERT_CATEGORIES }, ALERT_CATEGORIES),
  incidents_opened: divided('incident_statistics', { category: OPENED }, OPENED),
  incidents_acknowledged: plain(
    'incident_statistics',
    ...DURATION_CLASSES.map((name) => `acknowledged_in_${name}`),
  ),
  incidents_resolved: divided('incident_statistics', { category: RESOLVED }, RESOLVED),
  deliveries_delivered: plain('delivery_statistics', 'delivered'),
  deliveries_failed: plain('delivery_statistics', 'failed'),
  deliveries_dead: plain('delivery_statistics', 'dead'),
  scans: divided('scan_statistics', { verdict: VERDICTS }, VERDICTS),
};

/** A device is counted once per hour or once per day, in different columns. */
const DEVICES: Readonly<Record<StatisticsInterval, MeasureSource>> = {
  hour: plain('event_statistics', 'devices'),
  day: plain('event_statistics', 'devices_of_day'),
};

export function sourceOf(measure: StatisticsMeasure, interval: StatisticsInterval): MeasureSource {
  return measure === 'devices' ? DEVICES[interval] : SOURCES[measure];
}

/** The columns from which the times to acknowledge and to resolve are computed. */
const DURATION_COLUMNS = STATISTICS_COLUMNS.incident_statistics.filter((column) =>
  /^(?:acknowledged_in|resolved_in)_|_ms$/.test(column),
);

/**
 * Returns the sums that these series need of a table, each as its columns. A sum is left out if all its columns are read one
 * by one: `valuesOf` adds them up.
 */
export function sumsToRead(
  table: StatisticsTable,
  wanted: readonly { source: MeasureSource; breakdowns: readonly StatisticsBreakdown[] }[],
): (readonly string[])[] {
  const ofTable = wanted.filter(({ source }) => source.table === table);
  if (ofTable.length === 0) return [];
  const single = new Set([
    ...ofTable.flatMap(({ source, breakdowns }) =>
      breakdowns.flatMap((breakdown) => Object.values(source.breakdowns[breakdown] ?? {})),
    ),
    ...(table === 'incident_statistics' ? DURATION_COLUMNS : []),
  ]);
  const totals = ofTable
    .map(({ source }) => source.total)
    .filter((columns) => !columns.every((column) => single.has(column)));
  return [...totals, ...[...single].map((column) => [column])];
}
