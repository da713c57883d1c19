import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import { STATISTICS_BREAKDOWNS, STATISTICS_BUCKET_LIMIT, STATISTICS_MEASURES } from '../schema/vocabulary.ts';

export const StatisticsMeasure = stringEnum(
  STATISTICS_MEASURES,
  '`events` includes `corrections`; `devices` are those with an event in the hour or day; `incidents_acknowledged`: a person assigned them or changed their status for the first time; `incidents_resolved`: resolved or closed for the first time; `deliveries_failed` are attempts, `deliveries_dead` deliveries that became dead letters.',
);
export type StatisticsMeasure = Static<typeof StatisticsMeasure>;

export const StatisticsBreakdown = stringEnum(STATISTICS_BREAKDOWNS, 'By what the measure is divided.');
export type StatisticsBreakdown = Static<typeof StatisticsBreakdown>;

export const STATISTICS_INTERVALS = ['hour', 'day'] as const;
export const StatisticsInterval = stringEnum(STATISTICS_INTERVALS, 'Length of a bucket; days are UTC days.');
export type StatisticsInterval = Static<typeof StatisticsInterval>;

const Count = Type.Integer({ minimum: 0 });
const MAX_KEYS = 16;

export const StatisticsSeries = closed(
  {
    measure: StatisticsMeasure,
    breakdown: nullable(StatisticsBreakdown),
    key: nullable(Type.String({ maxLength: 64, description: 'Value of the breakdown, such as `phishing`.' })),
    total: nullable(
      Type.Integer({
        minimum: 0,
        description: 'Sum of the values. Null for `devices`: a device can be in several buckets.',
      }),
    ),
    values: Type.Array(Count, {
      maxItems: STATISTICS_BUCKET_LIMIT,
      description: 'One count per bucket, in the order of `starts`.',
    }),
  },
  { $id: 'StatisticsSeries', description: 'The counts of a measure, or of one value of a breakdown.' },
);
export type StatisticsSeries = Static<typeof StatisticsSeries>;

const Seconds = nullable(Type.Integer({ minimum: 0 }));

export const StatisticsDurations = closed(
  {
    count: Count,
    mean_s: Seconds,
    p50_s: nullable(
      Type.Integer({ minimum: 0, description: 'Median, estimated from `classes`. Null without incidents.' }),
    ),
    p90_s: nullable(
      Type.Integer({ minimum: 0, description: 'Exceeded by one in ten, estimated from `classes`.' }),
    ),
    classes: Type.Array(
      closed({
        up_to_s: nullable(
          Type.Integer({ minimum: 0, description: 'Upper bound, inclusive. Null for the last class.' }),
        ),
        count: Count,
      }),
      { maxItems: MAX_KEYS, description: 'Number of incidents by duration.' },
    ),
  },
  {
    $id: 'StatisticsDurations',
    description:
      'How long incidents took from being opened, over the whole range. Null unless a measure of incidents is read.',
  },
);
export type StatisticsDurations = Static<typeof StatisticsDurations>;

/** Counts of a tenant over time, with one array per series: made for charts. */
export const Statistics = closed(
  {
    tenant_id: idOf('tenant'),
    since: timestampOf('Start of the first bucket.'),
    until: timestampOf('End of the last bucket, exclusive.'),
    interval: StatisticsInterval,
    starts: Type.Array(Timestamp, {
      maxItems: STATISTICS_BUCKET_LIMIT,
      description: 'Starts of the buckets, ascending, without gaps.',
    }),
    series: Type.Array(StatisticsSeries, { maxItems: 100 }),
    time_to_acknowledge: nullable(StatisticsDurations),
    time_to_resolve: nullable(StatisticsDurations),
  },
  { $id: 'Statistics', description: 'Counts of a tenant over time.' },
);
export type Statistics = Static<typeof Statistics>;
