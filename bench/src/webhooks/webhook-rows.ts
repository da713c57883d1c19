import type { BenchEngine } from '../options.ts';
import { STORE_NAMES } from '../row-names.ts';
import { describeQueue, type QueueShape } from './queue-shape.ts';

/** The rows of the table. */
export const WEBHOOK_ROWS = {
  fromAnswer: (engine: BenchEngine) => `accepted to received, 20 events/s, ${STORE_NAMES[engine]}`,
  fromRequest: (engine: BenchEngine) => `sent to received, 20 events/s, ${STORE_NAMES[engine]}`,
  service: (engine: BenchEngine, queue: QueueShape) => `${describeQueue(queue)}, ${STORE_NAMES[engine]}`,
  bare: (engine: BenchEngine, queue: QueueShape) =>
    `bare posts beside ${describeQueue(queue)}, ${STORE_NAMES[engine]}`,
} as const;
