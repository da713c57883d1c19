import { createHmac } from 'node:crypto';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { type ReceiverOptions, useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';

const startReceiver = useReceivers();
const receive = (respond: ReceiverOptions['respond'] = 200) => startReceiver({ respond });
const service = useTestService({ env: WEBHOOK_ENV });
const SOON = { timeout: 60_000 };

/** A device of a separate tenant, so that no other webhooks receive its events. */
async function newDevice(): Promise<TestDevice> {
  return registerTestDevice(service, { tenant: await service.createTenant() });
}

test('an accepted event arrives as stored, with both signatures', async () => {
  const receiver = await receive();
  const device = await newDevice();
  const webhook = await registerTestWebhook(service, { url: receiver.url, tenant: device.tenant });
  const sentAtMs = Date.now();
  const stored = await device.post(device.event({ description: 'Call Ann at +1 202 555 0143 ✓' }));
  const [request] = await receiver.waitFor(1);
  if (!request) throw new Error('nothing arrived');
  expect(JSON.parse(request.body)).toEqual(stored.body);
  expect(request.method).toBe('POST');
  expect(request.headers['content-type']).toBe('application/json');
  const signature = createHmac('sha256', webhook.secret).update(request.body).digest('hex');
  expect(request.headers['x-service-signature']).toBe(signature);
  const timestamp = Number(request.headers['x-service-timestamp']);
  expect(timestamp).toBeGreaterThanOrEqual(Math.floor(sentAtMs / 1000));
  expect(timestamp).toBeLessThanOrEqual(request.receivedAtMs / 1000);
  const standard = new StandardWebhook(webhook.secret, { format: 'raw' });
  expect(standard.verify(request.body, { ...request.headers })).toEqual(stored.body);

  await vi.waitFor(async () => {
    const [delivery] = await webhook.deliveries();
    expect(delivery).toMatchObject({
      status: 'delivered',
      attempts: 1,
      last_status: 200,
      next_attempt_at: null,
    });
    expect(request.headers['x-service-idempotency-key']).toBe(`${delivery?.delivery_id}.1`);
  }, SOON);
  expect(await webhook.read()).toMatchObject({
    last_delivery_status: 'delivered',
    last_delivery_error: null,
    last_delivery_attempts: 1,
  });
});

test('500, then 429, then success: three attempts with their own keys and one event id', async () => {
  const receiver = await receive((_, index) => [500, 429, 204][index] ?? 200);
  const device = await newDevice();
  const webhook = await registerTestWebhook(service, { url: receiver.url, tenant: device.tenant });
  await device.post(device.event());
  const requests = await receiver.waitFor(3);
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers['x-service-idempotency-key'])).size).toBe(3);
  const [first, second, third] = requests.map(({ receivedAtMs }) => receivedAtMs);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(995);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThanOrEqual(1995);
  await expect
    .poll(() => webhook.read())
    .toMatchObject({ last_delivery_status: 'delivered', last_delivery_attempts: 3 });
  expect(await webhook.deadLetters()).toEqual([]);
});
