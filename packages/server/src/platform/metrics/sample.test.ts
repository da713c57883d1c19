import { expect, test } from 'vitest';
import { createLogger } from '../logger.ts';
import { Metrics } from './metrics.ts';

/** Metrics with a sample of one gauge, whose value or failure the test sets. */
function createSampled({ maxAgeMs = 0, waitMs }: { maxAgeMs?: number; waitMs?: number } = {}) {
  const lines: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const metrics = new Metrics({ logger, ...(waitMs !== undefined && { waitMs }) });
  const source = { readings: 0, read: async (): Promise<number | undefined> => 1 };
  metrics.sample({
    name: 'weather',
    maxAgeMs,
    gauges: { warmth: { name: 'tps_warmth', help: 'Warmth.' }, wind: { name: 'tps_wind', help: 'Wind.' } },
    async read() {
      source.readings += 1;
      const value = await source.read();
      return { warmth: value, wind: value };
    },
  });
  const scrape = async () => {
    const samples = (await metrics.registry.metrics()).matchAll(/^(tps_\S+) (\S+)$/gm);
    return Object.fromEntries([...samples].map(([, series = '', value]) => [series, Number(value)]));
  };
  return { metrics, source, scrape, log: () => lines.join('') };
}

test('the gauges of a sample share one reading, and have no value before it', async () => {
  const { source, scrape } = createSampled();
  source.read = async () => undefined;
  expect(Object.keys(await scrape())).not.toContain('tps_warmth');
  expect(source.readings).toBe(1);
  source.read = async () => 7;
  const startedAt = Date.now() / 1000;
  const values = await scrape();
  expect(values).toMatchObject({ tps_warmth: 7, tps_wind: 7 });
  expect(values['tps_sample_timestamp_seconds{sample="weather"}']).toBeGreaterThanOrEqual(startedAt - 0.001);
  expect(source.readings).toBe(2);
});

test('a reading that is young enough is not repeated', async () => {
  const { source, scrape } = createSampled({ maxAgeMs: 60_000 });
  await scrape();
  source.read = async () => 2;
  expect((await scrape()).tps_warmth).toBe(1);
  expect(source.readings).toBe(1);
});

test('a failed reading keeps the values with their time, and is counted and logged', async () => {
  const { source, scrape, log } = createSampled();
  const before = await scrape();
  expect(before['tps_sample_failures_total{sample="weather"}']).toBe(0);
  source.read = () => Promise.reject(new Error('no thermometer'));
  await scrape();
  const after = await scrape();
  const time = 'tps_sample_timestamp_seconds{sample="weather"}';
  expect(after).toMatchObject({ tps_warmth: 1, [time]: before[time] });
  expect(after['tps_sample_failures_total{sample="weather"}']).toBeGreaterThan(0);
  expect(log()).toContain('no thermometer');
});

test('a slow store does not delay the metrics for long', async () => {
  const { source, scrape } = createSampled({ waitMs: 1 });
  const waitForWarmth = (value: number) => expect.poll(async () => (await scrape()).tps_warmth).toBe(value);
  await waitForWarmth(1);
  let resolve: (value: number) => void = () => undefined;
  const answer = new Promise<number>((done) => {
    resolve = done;
  });
  source.read = () => answer;
  expect((await scrape()).tps_warmth).toBe(1);
  resolve(3);
  await waitForWarmth(3);
});
