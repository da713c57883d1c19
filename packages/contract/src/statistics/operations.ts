import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { tenantQuery } from '../schema/page.ts';
import { closed, timestampOf } from '../schema/values.ts';
import {
  STATISTICS_BREAKDOWNS,
  STATISTICS_BUCKET_LIMIT,
  STATISTICS_MEASURES,
  STATISTICS_RETENTION_MONTHS,
} from '../schema/vocabulary.ts';
import { Statistics, StatisticsInterval } from './schema.ts';

/** Builds the schema of a comma-separated list of known values. */
function listOf(values: readonly string[], description: string) {
  const one = `(${values.join('|')})`;
  return Type.String({
    pattern: `^${one}(,${one})*$`,
    maxLength: 400,
    description: `${description} Comma-separated: ${values.map((value) => `\`${value}\``).join(', ')}.`,
  });
}

export const getStatistics = operation({
  operationId: 'getStatistics',
  method: 'GET',
  path: '/statistics',
  tag: 'status',
  summary: 'Read counts over time',
  description: `Counts are kept per hour for ${STATISTICS_RETENTION_MONTHS} months. Something counts in the hour in which the service received or did it, and once: retries and duplicates do not count.`,
  scope: 'status:read',
  query: closed({
    since: Type.Optional(
      timestampOf(
        'Start of the range, rounded down to a bucket, at most 24 months ago. Default: 7 days before `until`.',
      ),
    ),
    until: Type.Optional(
      timestampOf(
        'End of the range, exclusive, rounded up to a bucket, at most the current one. Default: now.',
      ),
    ),
    interval: Type.Optional({
      ...StatisticsInterval,
      description: `Length of a bucket. Default: \`hour\` for a range of up to 7 days, otherwise \`day\`. A range has at most ${STATISTICS_BUCKET_LIMIT} hours.`,
    } as typeof StatisticsInterval),
    measures: Type.Optional(listOf(STATISTICS_MEASURES, 'What to count. Default: all.')),
    breakdown: Type.Optional(
      listOf(STATISTICS_BREAKDOWNS, 'Adds a series for each value, for the measures that have it.'),
    ),
    ...tenantQuery,
  }),
  responses: {
    200: {
      description: 'The counts.',
      schema: Statistics,
      example: {
        tenant_id: 'tnt_example',
        since: '2026-03-01T00:00:00.000Z',
        until: '2026-03-03T00:00:00.000Z',
        interval: 'day',
        starts: ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
        series: [
          { measure: 'events', breakdown: null, key: null, total: 633, values: [322, 311] },
          { measure: 'events', breakdown: 'action', key: 'allow', total: 540, values: [281, 259] },
          { measure: 'events', breakdown: 'action', key: 'warn', total: 71, values: [33, 38] },
          { measure: 'events', breakdown: 'action', key: 'block', total: 22, values: [8, 14] },
        ],
        time_to_acknowledge: {
          count: 2,
          mean_s: 380,
          p50_s: 300,
          p90_s: 780,
          classes: [
            { up_to_s: 300, count: 1 },
            { up_to_s: 900, count: 1 },
            { up_to_s: null, count: 0 },
          ],
        },
        time_to_resolve: { count: 0, mean_s: null, p50_s: null, p90_s: null, classes: [] },
      },
    },
  },
});

export const statisticsOperations = [getStatistics] as const;
