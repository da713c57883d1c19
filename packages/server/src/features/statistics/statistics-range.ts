import type { getStatistics, QueryOf, StatisticsInterval } from '@tps/contract';
import { STATISTICS_BUCKET_LIMIT } from '@tps/contract/vocabulary';
import { ServiceError } from '../../platform/service-error.ts';
import { parseTimestamp } from '../../platform/time.ts';
import { statisticsCutoff } from './anonymise-statistics.ts';
import { DAY_MS, HOUR_MS } from './statistics-hour.ts';
import type { StatisticsRange } from './statistics-store.ts';

const DEFAULT_SPAN_MS = 7 * DAY_MS;
const BUCKET_MS: Readonly<Record<StatisticsInterval, number>> = { hour: HOUR_MS, day: DAY_MS };

/** The buckets of a response. */
export interface StatisticsBuckets extends StatisticsRange {
  readonly interval: StatisticsInterval;
  readonly bucketMs: number;
  readonly count: number;
}

/**
 * Returns the buckets that cover the requested range, as far as counts can exist: from 24 months ago until now. There are
 * none if the range ends before it begins.
 * @throws ServiceError `invalid_parameter` for more hours than a response has
 */
export function toBuckets(
  query: Pick<QueryOf<typeof getStatistics>, 'since' | 'until' | 'interval'>,
  nowMs: number,
): StatisticsBuckets {
  const untilMs = Math.min(toMs(query.until) ?? nowMs, nowMs);
  const sinceMs = Math.max(toMs(query.since) ?? untilMs - DEFAULT_SPAN_MS, statisticsCutoff(nowMs));
  const interval = query.interval ?? (untilMs - sinceMs <= DEFAULT_SPAN_MS ? 'hour' : 'day');
  const bucketMs = BUCKET_MS[interval];
  const firstMs = Math.floor(sinceMs / bucketMs) * bucketMs;
  const isUntilNow = untilMs === nowMs;
  const endMs = Math.ceil((isUntilNow ? untilMs + 1 : untilMs) / bucketMs) * bucketMs;
  const count = Math.max(0, (endMs - firstMs) / bucketMs);
  if (count > STATISTICS_BUCKET_LIMIT) {
    throw new ServiceError(
      'invalid_parameter',
      `The range has ${count} hours; at most ${STATISTICS_BUCKET_LIMIT} are allowed. Set interval to day, or shorten the range`,
    );
  }
  return { sinceMs: firstMs, untilMs: firstMs + count * bucketMs, interval, bucketMs, count };
}

function toMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}
