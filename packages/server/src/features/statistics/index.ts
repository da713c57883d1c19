export { anonymiseStatistics, statisticsCutoff } from './anonymise-statistics.ts';
export { type CountedEvent, countEvents } from './count-events.ts';
export { countMilestones, type IncidentTimes } from './incident-milestone.ts';
export * as serviceStatisticsStore from './service-statistics-store.ts';
export {
  type Counts,
  STATISTICS_COLUMNS,
} from './statistics-columns.ts';
export { DAY_MS, dayOf, HOUR_MS, hourOf } from './statistics-hour.ts';
export * as statisticsStore from './statistics-store.ts';
