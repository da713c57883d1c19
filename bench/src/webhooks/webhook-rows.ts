import { type BenchEngine, ENGINES, STORE_NAMES } from '../options.ts';
import type { TargetResult, Targets } from '../report/targets.ts';
import { describeQueue, QUEUES, type QueueShape } from './queue-shape.ts';

/** More growth than this, from the first fifth of a long queue to its end, indicates a leak. */
const MAX_GROWTH = 1.1;
/** With fewer deliveries than this the heap has not reached its final size. */
const MIN_DELIVERIES = 100_000;

/** The rows of the table. */
export const WEBHOOK_ROWS = {
  fromAnswer: (engine: BenchEngine) => `accepted to received, 20 events/s, ${STORE_NAMES[engine]}`,
  fromRequest: (engine: BenchEngine) => `sent to received, 20 events/s, ${STORE_NAMES[engine]}`,
  service: (engine: BenchEngine, queue: QueueShape) => `${describeQueue(queue)}, ${STORE_NAMES[engine]}`,
  bare: (engine: BenchEngine, queue: QueueShape) =>
    `bare posts beside ${describeQueue(queue)}, ${STORE_NAMES[engine]}`,
} as const;

export function judgeWebhooks(
  { ratio, atMost, growth }: Targets,
  { manyDeliveries }: { manyDeliveries: number },
): TargetResult[] {
  const isLongEnough = manyDeliveries >= MIN_DELIVERIES;
  return ENGINES.flatMap((engine) => [
    ...atMost('p50Ms', WEBHOOK_ROWS.fromAnswer(engine), { max: 15, unit: 'ms' }),
    ...[...QUEUES.deliveries, ...QUEUES.hanging].flatMap((queue) => {
      const base = { row: WEBHOOK_ROWS.bare(engine, queue), min: 0.5 };
      return ratio('deliveriesPerSecond', WEBHOOK_ROWS.service(engine, queue), base);
    }),
    ...QUEUES.deliveries
      .filter(({ isLong }) => isLong && isLongEnough)
      .flatMap((queue) =>
        growth('lateMiB', WEBHOOK_ROWS.service(engine, queue), { earlier: 'earlyMiB', max: MAX_GROWTH }),
      ),
  ]);
}
