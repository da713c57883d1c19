import type { ProtectionStatus } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { type ReceiverReply, useReceivers } from '@tps/testing/receiver';
import { registerTestWebhook, startTestService, type TestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, onTestFinished, test, vi } from 'vitest';

const { SERVICE_SECRET_KEY_B64: _key, ...IN_MEMORY_ENV } = WEBHOOK_ENV;

const SOON = { timeout: 60_000 };

const startReceiver = useReceivers();
const receive = (respond: ReceiverReply) => startReceiver({ respond });

async function start(env: Record<string, string>): Promise<{ service: TestService; device: TestDevice }> {
  const service = await startTestService({ env });
  onTestFinished(() => service.stop());
  return { service, device: await registerTestDevice(service) };
}

async function readStatus(
  { client, tenant }: TestService,
  credential = tenant.credential,
): Promise<ProtectionStatus> {
  const answer = await client.send('GET', '/status', { credential });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ProtectionStatus;
}

test('webhooks are counted: all, failing, and dead letters', async () => {
  const { service, device } = await start(WEBHOOK_ENV);
  const none = { registered: 0, failing: 0, dead_letters: 0, persistence: 'persistent' };
  expect(await readStatus(service)).toMatchObject({
    status: 'protected',
    webhooks: none,
    components: { store: 'up', dispatcher: 'up', workflow: 'up', scan: 'up' },
  });
  const fine = await registerTestWebhook(service, { url: (await receive(204)).url });
  const refusing = await receive(404);
  const refused = await registerTestWebhook(service, { url: refusing.url });
  const gone = await registerTestWebhook(service, { url: (await receive(410)).url });
  const idle = await registerTestWebhook(service, { url: (await receive(204)).url });
  await idle.send('PATCH', '', { status: 'disabled' });
  await device.post(device.event({ severity: 'low' }));
  await vi.waitFor(async () => {
    expect((await fine.read()).last_delivery_status).toBe('delivered');
    expect((await refused.read()).last_delivery_status).toBe('failed');
    expect((await gone.read()).disabled_reason).toBe('gone');
  }, SOON);
  // `idle` was disabled on request, which is not a failure. Disabling by the service is one.
  const { webhooks } = await readStatus(service);
  expect(webhooks).toEqual({ registered: 4, failing: 2, dead_letters: 2, persistence: 'persistent' });

  const stranger = await service.createTenant();
  expect((await readStatus(service, stranger.credential)).webhooks).toEqual(none);

  refusing.respondWith(204);
  const { credential } = service.tenant;
  const body = { webhook_id: refused.webhookId };
  await service.client.send('POST', '/webhooks/dlq', { credential, body });
  await gone.send('DELETE');
  await expect
    .poll(async () => (await readStatus(service)).webhooks)
    .toMatchObject({ registered: 3, failing: 0, dead_letters: 0 });
});

test('webhooks in memory degrade the status only of a tenant that has one', async () => {
  const { service } = await start(IN_MEMORY_ENV);
  const without = await readStatus(service);
  expect(without).toMatchObject({ status: 'protected', reasons: [], webhooks: { persistence: 'memory' } });
  const webhook = await registerTestWebhook(service, { url: (await receive(204)).url });
  expect(await readStatus(service)).toMatchObject({
    status: 'degraded',
    reasons: ['Webhooks are in memory only: they are lost when the service stops'],
    webhooks: { registered: 1, persistence: 'memory' },
  });
  const stranger = await service.createTenant();
  expect((await readStatus(service, stranger.credential)).reasons).toEqual(['No device is active']);
  await webhook.send('DELETE');
  expect(await readStatus(service)).toMatchObject({ status: 'protected', reasons: [] });
});

test('a tenant without an active device is unprotected, and all other reasons are listed too', async () => {
  const { service, device } = await start(IN_MEMORY_ENV);
  await registerTestWebhook(service, { url: (await receive(204)).url });
  await device.post(device.event({ severity: 'critical' }));
  expect(await readStatus(service)).toMatchObject({
    status: 'degraded',
    reasons: [
      'Webhooks are in memory only: they are lost when the service stops',
      expect.stringMatching(/threat/),
      expect.stringMatching(/incident/),
    ],
  });
  const { credential } = service.tenant;
  await service.client.send('PATCH', `/devices/${device.deviceId}`, {
    credential,
    body: { status: 'revoked' },
  });
  expect(await readStatus(service)).toMatchObject({
    status: 'unprotected',
    reasons: ['No device is active', expect.stringMatching(/memory/), expect.anything(), expect.anything()],
  });
});
