import type { Tables } from '../../../database/tables/index.ts';
import { STATISTICS_COLUMNS, type StatisticsTable } from '../../statistics/index.ts';
import { ONLY_HERE } from './coverage-reasons.ts';
import type { TableCoverage } from './describe-gaps.ts';

const COUNTS =
  'what is counted is purged before its counts; `tps statistics rebuild` counts again what is left';

/** The part of the coverage for the tables of statistics. */
export const STATISTICS_COVERAGE = {
  event_statistics: counted('event_statistics'),
  incident_statistics: counted('incident_statistics'),
  delivery_statistics: counted('delivery_statistics'),
  scan_statistics: counted('scan_statistics'),
  service_statistics: { compared: {}, notCompared: { [ONLY_HERE]: ['day', 'name', 'count'] } },
} as const satisfies { readonly [T in keyof Tables]?: TableCoverage<keyof Tables[T] & string> };

function counted<T extends StatisticsTable>(table: T): TableCoverage<keyof Tables[T] & string> {
  const columns = ['tenant_id', 'hour', ...STATISTICS_COLUMNS[table]] as (keyof Tables[T] & string)[];
  return { compared: {}, notCompared: { [COUNTS]: columns } };
}
