import { type BenchEngine, ENGINES, STORE_NAMES } from '../options.ts';
import type { TargetResult, Targets } from '../report/targets.ts';
import { describeQueue, QUEUES, type QueueShape } from './queue-shape.ts';

/** More growth than this, from the first fifth of a long queue to its end, indicates a leak. */
const MAX_GROWTH = 1.1;
/** A single receiver has no target: its rate is limited by eight deliveries at a time. */
const MIN_RECEIVERS = 10;
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
  const [someHang, noneHangs] = QUEUES.hanging;
  return ENGINES.flatMap((engine) => [
    ...atMost('p50Ms', WEBHOOK_ROWS.fromAnswer(engine), { max: 15, unit: 'ms' }),
    ...QUEUES.deliveries
      .filter(({ receivers }) => receivers >= MIN_RECEIVERS)
      .flatMap((queue) => {
        const base = { row: WEBHOOK_ROWS.bare(engine, queue), min: 0.4 };
        return ratio('deliveriesPerSecond', WEBHOOK_ROWS.service(engine, queue), base);
      }),
    ...ratio('deliveriesPerSecond', WEBHOOK_ROWS.service(engine, someHang), {
      row: WEBHOOK_ROWS.service(engine, noneHangs),
      min: 0.8,
    }),
    ...QUEUES.deliveries
      .filter(({ isLong }) => isLong && isLongEnough)
      .flatMap((queue) =>
        growth('lateMiB', WEBHOOK_ROWS.service(engine, queue), { earlier: 'earlyMiB', max: MAX_GROWTH }),
      ),
  ]);
}
