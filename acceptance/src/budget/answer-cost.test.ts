import { BATCH_LIMIT } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { threadTimeMs } from '../scan/thread-time.ts';

/** The most that one answer may cost, also in many short turns. */
const ANSWER_MS = Number(process.env.TEST_BUDGET_MS ?? 50);
/** What an answer costs does so in each try. Garbage collection and other work of this process vary. */
const TRIES = 8;
const BATCHES = 24;

const service = useTestService();
const device = useFixture(async () => {
  const sender = await registerTestDevice(service, { tenant: await service.createTenant() });
  for (let batch = 0; batch < BATCHES; batch += 1) await sendBatch(sender, batch);
  return sender;
});

async function sendBatch(sender: TestDevice, batch: number): Promise<void> {
  const events = Array.from({ length: BATCH_LIMIT }, (_, index) =>
    sender.event({
      severity: 'high',
      indicators: [`sig:${batch}-${index}`, 'sig:common'],
      description: 'a long text '.repeat(250),
      metadata: { device_platform: 'android' },
    }),
  );
  const { status } = await sender.post({ events }, { path: '/events/batch' });
  expect(status).toBe(200);
}

const FILTERS = [
  'indicator=sig:23-499',
  'indicator=sig:0-0,sig:none',
  'indicator=sig:common&severity=low',
  'policy_id=pol_none',
  'device_platform=ios',
  'device_platform=!android',
  'action_taken=!block',
  'severity=low',
  'severity=!high',
  'threat_category=deepfake',
  'device_id=dev_none',
];

test.each(
  FILTERS.flatMap((filter) => [
    `/events?${filter}`,
    `/events?order=newest&${filter}`,
    `/events/counts?${filter}`,
  ]),
)(`GET %s costs little in a feed of ${BATCHES * BATCH_LIMIT} events`, async (path) => {
  let costMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && costMs > ANSWER_MS; attempt += 1) {
    const ms = await threadTimeMs(async () => {
      const { status } = await service.client.send('GET', path, device.tenant);
      expect(status).toBe(200);
    });
    costMs = Math.min(costMs, ms);
  }
  expect(costMs).toBeLessThanOrEqual(ANSWER_MS);
});
