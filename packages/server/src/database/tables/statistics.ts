import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import { ONLY_HERE, table, tablesOf } from './table.ts';

const COUNTS =
  'what is counted is purged before its counts; `tps statistics rebuild` counts again what is left';
const PURGED_BEFORE = 'what is counted is purged before its counts';

/** As in the contract, whose module loads TypeBox: a test compares them. */
export const INCIDENT_CATEGORIES = [
  ...THREAT_CATEGORIES,
  'device_integrity',
  'monitoring',
  'campaign',
] as const;
export const EVENT_PLATFORMS = [...PLATFORMS, 'unknown'] as const;
/** The upper bounds of the histograms of times, in a form that is part of a column's name. */
export const DURATION_CLASSES = ['5m', '15m', '1h', '4h', '1d', '3d', '7d', 'longer'] as const;

/** The columns of each table of statistics, except its key. */
export const STATISTICS_COLUMNS = {
  event_statistics: [
    ...prefixed('category', THREAT_CATEGORIES),
    ...prefixed('action', ACTIONS),
    ...prefixed('severity', SEVERITIES),
    ...prefixed('platform', EVENT_PLATFORMS),
    'corrections',
    /** Devices with an event in this hour. */
    'devices',
    /** Those of them without an event earlier on the same UTC day: the sum over a day is its number of devices. */
    'devices_of_day',
    ...prefixed('alerts', THREAT_CATEGORIES),
  ],
  incident_statistics: [
    ...prefixed('opened', INCIDENT_CATEGORIES),
    ...prefixed('resolved', INCIDENT_CATEGORIES),
    /** Incidents by the time from opening to the first acknowledgement or resolution. */
    ...prefixed('acknowledged_in', DURATION_CLASSES),
    ...prefixed('resolved_in', DURATION_CLASSES),
    /** The sums of these times. */
    'acknowledge_ms',
    'resolve_ms',
  ],
  /** `failed`: unsuccessful attempts. `dead`: deliveries that became dead letters. */
  delivery_statistics: ['delivered', 'failed', 'dead'],
  scan_statistics: prefixed('verdict', ACTIONS),
} as const;

export const STATISTICS_TABLES = tablesOf('statistics', {
  /** Counts of the events that arrived in an hour, and of the alerts that they opened. Written under the feed's lock. */
  event_statistics: countsOf(STATISTICS_COLUMNS.event_statistics),
  /** Counts of the incidents that were opened, acknowledged or resolved in an hour. Written under the feed's lock. */
  incident_statistics: countsOf(STATISTICS_COLUMNS.incident_statistics),
  /** Counts of the attempts to deliver that ended in an hour. */
  delivery_statistics: countsOf(STATISTICS_COLUMNS.delivery_statistics),
  /** Counts of the scans of an hour. */
  scan_statistics: countsOf(STATISTICS_COLUMNS.scan_statistics),
  /** What remains of statistics after 24 months: counts of a UTC day over all tenants. */
  service_statistics: table({
    key: ['day', 'name'],
    columns: {
      /** Its start. */
      day: 'time',
      /** Table and column of the former count, such as `event.category_phishing`. */
      name: 'text',
      count: 'integer',
    },
    verify: { notCompared: ONLY_HERE, missingRows: PURGED_BEFORE },
  }),
});

/** Declares counts of an hour, which begins at `hour`. */
function countsOf<Column extends string>(names: readonly Column[]) {
  const counts = Object.fromEntries(names.map((name) => [name, 'integer'])) as Record<Column, 'integer'>;
  const columns = { tenant_id: 'text', hour: 'time', ...counts } as const;
  return table<typeof columns>({
    key: ['tenant_id', 'hour'],
    columns,
    verify: { notCompared: COUNTS, missingRows: PURGED_BEFORE },
  });
}

function prefixed<Prefix extends string, Key extends string>(
  prefix: Prefix,
  keys: readonly Key[],
): `${Prefix}_${Key}`[] {
  return keys.map((key) => `${prefix}_${key}` as const);
}
