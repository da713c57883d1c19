import { ENGINES } from '../options.ts';
import type { Recorder } from '../recorder.ts';
import { createJudge, type TargetResult } from '../report/judge.ts';
import { QUEUES } from './queue-shape.ts';
import type { WebhookBenchOptions } from './webhook-options.ts';
import { WEBHOOK_ROWS } from './webhook-rows.ts';

/** Growth beyond this, between the first fifth of a long queue and its end, is taken for a leak. */
const FLAT = 1.1;
/** In fewer deliveries than this the heap has not come to its size yet. */
const SETTLED = 100_000;

/** Holds what was recorded against what is aimed at. Targets whose rows were not measured are left out. */
export function judgeWebhookTargets(
  recorder: Recorder,
  { manyDeliveries }: Pick<WebhookBenchOptions, 'manyDeliveries'>,
): TargetResult[] {
  const { ratio, atMost, growth } = createJudge(recorder);
  const queues = [...QUEUES.deliveries, ...QUEUES.hanging];
  return ENGINES.flatMap((engine) => [
    ...atMost('p50Ms', WEBHOOK_ROWS.fromAnswer(engine), { most: 15, unit: 'ms' }),
    ...queues.flatMap((queue) => {
      const base = { row: WEBHOOK_ROWS.bare(engine, queue), least: 0.5 };
      return ratio('deliveriesPerSecond', WEBHOOK_ROWS.service(engine, queue), base);
    }),
    ...QUEUES.deliveries
      .filter(({ isLong }) => isLong && manyDeliveries >= SETTLED)
      .flatMap((queue) =>
        growth('lateMiB', WEBHOOK_ROWS.service(engine, queue), { earlier: 'earlyMiB', most: FLAT }),
      ),
  ]);
}
