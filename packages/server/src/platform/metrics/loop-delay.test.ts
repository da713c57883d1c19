import pino from 'pino';
import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

test('the delay of the main thread is sampled ten times a second at most', async () => {
  const { registry } = new Metrics({ logger: pino({ enabled: false }) });
  let shortest = Number.POSITIVE_INFINITY;
  const read = async () => {
    const text = await registry.metrics();
    shortest = Number(/^nodejs_eventloop_lag_min_seconds (\S+)$/m.exec(text)?.[1]);
    return shortest;
  };
  // A reading without a sample has a value of centuries.
  await expect.poll(read, { interval: 300 }).toBeLessThan(60);
  // Each sample contains the time since the one before.
  expect(shortest).toBeGreaterThan(0.05);
});
