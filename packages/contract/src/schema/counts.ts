import { type Static, type TProperties, Type } from 'typebox';
import { type Operation, operation } from '../openapi/operation.ts';
import { tenantQuery } from './page.ts';
import { closed, stringEnum, timestampOf } from './values.ts';
import { COUNT_INTERVALS, MAX_BUCKETS, MAX_COUNTED } from './vocabulary.ts';

export const CountInterval = stringEnum(
  COUNT_INTERVALS,
  'Length of a bucket. Buckets begin at full units of UTC.',
);
export type CountInterval = Static<typeof CountInterval>;

/** How many items of a list match, over time. */
export const Counts = closed(
  {
    total: Type.Integer({
      minimum: 0,
      description: 'Number of matching items; a lower bound unless `complete`.',
    }),
    complete: Type.Boolean({
      description: `Whether all items were examined. False if the list has more than ${MAX_COUNTED} items in the range: the newest ones are examined.`,
    }),
    interval: CountInterval,
    buckets: Type.Array(
      closed({
        start: timestampOf('Start of the bucket.'),
        count: Type.Integer({ minimum: 1, description: 'Number of matching items in it.' }),
      }),
      { maxItems: MAX_BUCKETS, description: 'Buckets with matching items, oldest first.' },
    ),
  },
  { $id: 'Counts', description: 'How many items of a list match, over time.' },
);
export type Counts = Static<typeof Counts>;

/** Builds the operation that counts what a list finds with the same filters: `GET <path of the list>/counts`. */
export function countsOperation<Filters extends TProperties>(options: {
  readonly list: Operation;
  readonly operationId: string;
  /** What is counted, such as `incidents`. */
  readonly noun: string;
  readonly filters: Filters;
  /** The time by which the items are counted (default: of creation). */
  readonly time?: string;
}) {
  const { list, operationId, noun, filters, time = 'time of creation' } = options;
  return operation({
    operationId,
    method: 'GET',
    path: `${list.path}/counts`,
    tag: list.tag,
    summary: `Count ${noun} over time`,
    description: `Counts what the list finds with the same filters, by ${time}. Examines at most ${MAX_COUNTED} items.`,
    scope: list.scope,
    ...(list.id === undefined ? {} : { id: list.id }),
    query: closed({
      ...filters,
      interval: Type.Optional(
        stringEnum(
          COUNT_INTERVALS,
          `Length of a bucket. By default it follows from the range. A longer one is used if there could be more than ${MAX_BUCKETS} buckets.`,
        ),
      ),
      ...tenantQuery,
    }),
    responses: {
      200: { description: 'The counts.', schema: Counts, example: countsExample },
    },
  });
}

const countsExample = {
  total: 7,
  complete: true,
  interval: 'hour',
  buckets: [
    { start: '2026-03-02T08:00:00.000Z', count: 2 },
    { start: '2026-03-02T09:00:00.000Z', count: 5 },
  ],
};
