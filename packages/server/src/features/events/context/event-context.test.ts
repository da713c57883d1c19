import { createHash } from 'node:crypto';
import type { EventContext } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { registerTestWebhook, useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { expect, test } from 'vitest';
import { countMarks } from './redaction-marks.ts';

const service = useTestService({ env: WEBHOOK_ENV });

async function createSender(): Promise<TestDevice> {
  return registerTestDevice(service, { tenant: await service.createTenant() });
}

async function read({ tenant }: TestDevice, eventId: string): Promise<EventContext> {
  const answer = await service.client.send('GET', `/events/${eventId}/context`, tenant);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as EventContext;
}

const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const bytes = (hex: string | null) => Buffer.from(hex ?? '', 'hex');

test('an event has its place in the hash chain of the feed', async () => {
  const device = await createSender();
  const [first, second] = [device.event(), device.event()];
  await device.post(first);
  const stored = await device.post(second);
  const [one, two] = [await read(device, first.event_id), await read(device, second.event_id)];
  expect([one.position, two.position]).toEqual([1, 2]);
  expect(one.feed_chain.previous_chain_hash).toBe('0'.repeat(64));
  expect(two.feed_chain.previous_chain_hash).toBe(one.feed_chain.chain_hash);
  expect(two.feed_chain.event_hash).toBe(sha256(stored.text));
  expect(two.feed_chain.chain_hash).toBe(
    sha256(bytes(one.feed_chain.chain_hash), bytes(two.feed_chain.event_hash)),
  );
  expect(two.signature.body_digest).toBe(sha256(JSON.stringify(second)));
});

test("an event shows how it fits its device's chain", async () => {
  const device = await createSender();
  const [first, later] = [device.event({ sequence: 1 }), device.event({ sequence: 5 })];
  await device.post(first);
  await device.post(later);
  expect((await read(device, first.event_id)).device_chain).toEqual({
    state: 'linked',
    sequence: 1,
    previous_event_hash: null,
  });
  expect((await read(device, later.event_id)).device_chain.state).toBe('declared_gap');
});

test('an event shows the key of its device, and whether it was replaced since', async () => {
  const device = await createSender();
  const event = device.event();
  await device.post(event);
  const { signature } = await read(device, event.event_id);
  const fingerprint = sha256(Buffer.from(device.key.publicKeyB64, 'base64'));
  expect(signature.device_key).toEqual({ type: 'ed25519', bits: 256, fingerprint, replaced_at: null });
  expect(signature.key_replaced).toBe(false);
});

test('an event names its corrections and the one that counts', async () => {
  const device = await createSender();
  const root = device.event();
  await device.post(root);
  const corrections = [];
  for (const action_taken of ['warn', 'allow'] as const) {
    const correction = device.event({
      corrects_event_id: root.event_id,
      correction_reason: 'checked',
      action_taken,
    });
    await device.post(correction);
    corrections.push(correction.event_id);
  }
  const expected = { event_ids: corrections, effective_event_id: corrections[1] };
  expect((await read(device, root.event_id)).corrections).toEqual({ ...expected, corrects_event_id: null });
  expect((await read(device, corrections[0] ?? '')).corrections).toEqual({
    ...expected,
    corrects_event_id: root.event_id,
  });
});

test('an event names what was derived from it', async () => {
  const device = await createSender();
  const { tenant } = device;
  const webhook = await registerTestWebhook(service, { tenant, url: `${service.baseUrl}/healthz` });
  const event = device.event({ severity: 'critical' });
  await device.post(event);
  const { derived } = await read(device, event.event_id);
  const first = async (path: string) =>
    ((await service.client.send('GET', path, tenant)).body as { data: Record<string, string>[] }).data[0];
  expect(derived).toMatchObject({
    threat_id: (await first('/threats'))?.threat_id,
    alert_id: (await first('/alerts'))?.alert_id,
    incident_id: (await first('/incidents'))?.id,
  });
  const [delivery] = await webhook.deliveries();
  expect(derived.deliveries).toMatchObject([
    { webhook_id: webhook.webhookId, delivery_id: delivery?.delivery_id },
  ]);
});

test('the marks of redaction are counted', async () => {
  const device = await createSender();
  const event = device.event({
    description: 'Call +49 30 1234567 or +49 30 7654321, or write to anna@example.com',
    indicators: ['https://bank.example/login'],
  });
  await device.post(event);
  const { redaction } = await read(device, event.event_id);
  expect([...redaction].sort((a, b) => (a.mark < b.mark ? -1 : 1))).toEqual([
    { mark: '[email]', count: 1 },
    { mark: '[phone]', count: 2 },
    { mark: 'url:sha256:', count: 1 },
  ]);
  expect(countMarks('{"description":"[phone number] url:sha256:none"}')).toEqual([]);
});

test('an event of another tenant has no context', async () => {
  const [device, other] = [await createSender(), await createSender()];
  const event = device.event();
  await device.post(event);
  const answer = await service.client.send('GET', `/events/${event.event_id}/context`, other.tenant);
  expect(answer.status).toBe(404);
});
