import { ACTIONS, PLATFORMS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract/vocabulary';
import type {
  DeliveryStatisticsColumn,
  EventStatisticsColumn,
  IncidentStatisticsColumn,
  ScanStatisticsColumn,
} from '../../database/tables/index.ts';
import { DURATION_CLASSES } from './duration-class.ts';

/** As in the contract, whose module loads TypeBox: a test compares them. */
export const INCIDENT_CATEGORIES = [
  ...THREAT_CATEGORIES,
  'device_integrity',
  'monitoring',
  'campaign',
] as const;
export const EVENT_PLATFORMS = [...PLATFORMS, 'unknown'] as const;

/** The columns of each table of statistics, except its key. */
export const STATISTICS_COLUMNS = {
  event_statistics: [
    ...prefixed('category', THREAT_CATEGORIES),
    ...prefixed('action', ACTIONS),
    ...prefixed('severity', SEVERITIES),
    ...prefixed('platform', EVENT_PLATFORMS),
    'corrections',
    'devices',
    'devices_of_day',
    ...prefixed('alerts', THREAT_CATEGORIES),
  ] satisfies EventStatisticsColumn[],
  incident_statistics: [
    ...prefixed('opened', INCIDENT_CATEGORIES),
    ...prefixed('resolved', INCIDENT_CATEGORIES),
    ...prefixed('acknowledged_in', DURATION_CLASSES),
    ...prefixed('resolved_in', DURATION_CLASSES),
    'acknowledge_ms',
    'resolve_ms',
  ] satisfies IncidentStatisticsColumn[],
  delivery_statistics: ['delivered', 'failed', 'dead'] satisfies DeliveryStatisticsColumn[],
  scan_statistics: prefixed('verdict', ACTIONS) satisfies ScanStatisticsColumn[],
} as const;

export type StatisticsTable = keyof typeof STATISTICS_COLUMNS;
export const STATISTICS_TABLES = Object.keys(STATISTICS_COLUMNS) as StatisticsTable[];
export type ColumnOf<T extends StatisticsTable> = (typeof STATISTICS_COLUMNS)[T][number];

/** The counts of an hour. A count that is left out is 0. */
export type Counts<T extends StatisticsTable> = Partial<Record<ColumnOf<T>, number>>;

function prefixed<Prefix extends string, Key extends string>(
  prefix: Prefix,
  keys: readonly Key[],
): `${Prefix}_${Key}`[] {
  return keys.map((key) => `${prefix}_${key}` as const);
}
