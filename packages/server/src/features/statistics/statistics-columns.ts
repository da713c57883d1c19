import { STATISTICS_COLUMNS } from '../../database/tables/index.ts';

export { EVENT_PLATFORMS, INCIDENT_CATEGORIES, STATISTICS_COLUMNS } from '../../database/tables/index.ts';

export type StatisticsTable = keyof typeof STATISTICS_COLUMNS;
export const STATISTICS_TABLES = Object.keys(STATISTICS_COLUMNS) as StatisticsTable[];
export type ColumnOf<T extends StatisticsTable> = (typeof STATISTICS_COLUMNS)[T][number];

/** The counts of an hour. A count that is left out is 0. */
export type Counts<T extends StatisticsTable> = Partial<Record<ColumnOf<T>, number>>;
