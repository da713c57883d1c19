import { registerTestDevice } from '@tps/testing/device';
import { findFreePort } from '@tps/testing/network';
import { useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, test, vi } from 'vitest';

const clock = new ManualClock(Date.now());
const receive = useReceivers();
let metricsUrl: string;
const service = useTestService(async () => {
  const bind = `127.0.0.1:${await findFreePort()}`;
  metricsUrl = `http://${bind}/metrics`;
  return { env: { ...WEBHOOK_ENV, SERVICE_METRICS_BIND: bind }, clock };
});

async function register(status: number) {
  const receiver = await receive({ respond: status });
  return registerTestWebhook(service, { url: receiver.url });
}

async function readMetrics(): Promise<Record<string, number>> {
  const response = await fetch(metricsUrl);
  expect(response.status).toBe(200);
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('tps_webhook_'));
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

test('the metrics show attempts by outcome, the queue with its age, and dead letters', async () => {
  const idle = {
    tps_webhook_queue_depth: 0,
    tps_webhook_queue_oldest_age_seconds: 0,
    tps_webhook_dead_letters: 0,
    tps_webhook_open_circuits: 0,
  };
  expect(await readMetrics()).toMatchObject(idle);
  for (const status of [204, 204, 404, 410, 404, 503]) await register(status);
  const device = await registerTestDevice(service);
  await device.post(device.event());
  const attempts = (outcome: string) => `tps_webhook_attempt_duration_seconds_count{outcome="${outcome}"}`;
  await vi.waitFor(
    async () =>
      expect(await readMetrics()).toMatchObject({
        [attempts('delivered')]: 2,
        [attempts('failed')]: 3,
        [attempts('retry')]: 1,
        // A failed delivery waits for its next attempt.
        tps_webhook_queue_depth: 1,
        tps_webhook_dead_letters: 3,
      }),
    { timeout: 60_000 },
  );
  expect((await readMetrics()).tps_webhook_queue_oldest_age_seconds).toBe(0);
  clock.advance(600);
  expect((await readMetrics()).tps_webhook_queue_oldest_age_seconds).toBe(0.6);
});
