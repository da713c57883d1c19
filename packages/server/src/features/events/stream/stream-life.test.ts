import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import {
  openTestStream,
  startTestService,
  type TestService,
  type TestStream,
  useTestService,
} from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_STREAMS, MAX_STREAMS_PER_TENANT } from './stream-places.ts';

const onPostgres = process.env.TEST_STORE === 'postgres';
const service = useTestService({
  env: { SERVICE_TRANSFER_TIMEOUT_SECONDS: '1', SERVICE_MAX_CONNECTIONS_PER_ADDRESS: '2000' },
});

async function open(
  device: Pick<TestDevice, 'tenant'>,
  at: { baseUrl: string } = service,
  query = '',
): Promise<TestStream> {
  const { credential } = device.tenant;
  const stream = await openTestStream(at, { path: `/events/stream${query}`, credential });
  onTestFinished(() => stream.close());
  return stream;
}

const createSender = async (on: TestService = service) =>
  registerTestDevice(on, { tenant: await on.createTenant() });

const open100 = (device: Pick<TestDevice, 'tenant'>) =>
  Promise.all(Array.from({ length: MAX_STREAMS_PER_TENANT }, () => open(device)));

test('a tenant has a limited number of streams, and other tenants have theirs', async () => {
  const [device, other] = [await createSender(), await createSender()];
  const streams = await open100(device);
  const refused = await open(device);
  expect(refused.status).toBe(429);
  expect(refused.text()).toContain('rate_limited');
  expect(refused.headers['retry-after']).toBe('10');
  expect((await open(other)).status).toBe(200);
  // Each reader gets each event, although the feed is read once for all.
  const event = device.event();
  await device.post(event);
  for (const stream of streams) {
    await waitUntil(() => stream.eventIds().length > 0);
    expect(stream.eventIds()).toEqual([event.event_id]);
  }
  streams[0]?.close();
  await waitUntil(async () => (await open(device)).status === 200);
});

test('tenants that hold all places cannot exclude another', async () => {
  const streams = new Map<TestDevice, TestStream[]>();
  for (let tenant = 0; tenant < 5; tenant += 1) {
    const device = await createSender();
    streams.set(device, await open100(device));
  }
  const late = await createSender();
  const own = await open100(late);
  // A sixth of the places for each of six tenants.
  const fair = Math.floor(MAX_STREAMS / 6);
  const opened = own.filter(({ status }) => status === 200);
  expect(opened.length).toBeGreaterThanOrEqual(fair);
  expect(opened.length).toBeLessThanOrEqual(fair + 1);
  const refused = own.find(({ status }) => status === 503);
  expect(refused?.headers['retry-after']).toBe('10');
  for (const ofTenant of streams.values()) {
    await waitUntil(() => ofTenant.filter((stream) => !stream.isClosed()).length <= fair + 1);
    const left = ofTenant.filter((stream) => !stream.isClosed());
    expect(left.length).toBeGreaterThanOrEqual(fair);
    // The newest ones have made room, and know why.
    for (const stream of ofTenant.filter((one) => one.isClosed())) {
      expect(stream.messages().at(-1)?.data).toContain('"code":"unavailable"');
    }
  }
  const event = late.event();
  await late.post(event);
  for (const stream of opened) await waitUntil(() => stream.eventIds().includes(event.event_id));
});

test('callers that hold all places of a tenant cannot exclude another', async () => {
  const device = await createSender();
  const streams = await open100(device);
  const { tenantId } = device.tenant;
  const credential = await service.createCredential(tenantId, ['events:read']);
  const other = { ...device, tenant: { tenantId, credential } };
  const own = await open100(other);
  expect(own.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(own.filter(({ status }) => status === 429)).toHaveLength(50);
  await waitUntil(() => streams.filter((stream) => stream.isClosed()).length === 50);
});

test('a reader that takes nothing is disconnected, and loses nothing by connecting again', async () => {
  const device = await createSender();
  const stream = await open(device);
  stream.pause();
  const ids: string[] = [];
  const description = 'x'.repeat(4_000);
  // More than the buffers of both ends hold, so that the service notices.
  for (let batch = 0; batch < 12; batch += 1) {
    const events = Array.from({ length: 400 }, () => device.event({ description }));
    await device.post({ events }, { path: '/events/batch' });
    ids.push(...events.map(({ event_id }) => event_id));
  }
  const { credential } = device.tenant;
  // Its place is taken by another stream as soon as it is disconnected.
  const others: TestStream[] = [];
  const openOther = async () => {
    others.push(await open(device));
    return others.at(-1)?.status === 200;
  };
  while (others.length < MAX_STREAMS_PER_TENANT - 1) await openOther();
  await waitUntil(openOther);
  for (const other of others) other.close();
  stream.resume();
  await stream.ended();
  const received = stream.eventIds();
  expect(received.length).toBeLessThan(ids.length);
  const again = await openTestStream(service, {
    path: `/events/stream?cursor=${stream.lastId()}`,
    credential,
  });
  onTestFinished(() => again.close());
  await waitUntil(() => again.eventIds().length >= ids.length - received.length);
  expect([...received, ...again.eventIds()]).toEqual(ids);
});

test('a service that stops ends its streams first, and does not wait for their readers', async () => {
  const stopping = await startTestService();
  const device = await createSender(stopping);
  const [reading, hanging] = [await open(device, stopping), await open(device, stopping)];
  hanging.pause();
  const startedAt = performance.now();
  await stopping.stop();
  // The service cuts connections that are still open after 7 s.
  expect(performance.now() - startedAt).toBeLessThan(6_500);
  await reading.ended();
  expect(reading.messages().at(-1)).toMatchObject({ event: 'end' });
  expect(reading.text()).toContain('"code":"unavailable"');
});

test.runIf(onPostgres)('events that another node stores arrive within seconds', async () => {
  const store = await createTestStore();
  onTestFinished(store.drop);
  const first = await startTestService({ store });
  onTestFinished(() => first.stop());
  const second = await first.startNode();
  onTestFinished(() => second.stop());
  const device = await createSender(first);
  const stream = await open(device, second);
  const event = device.event();
  await device.post(event);
  // Before the first heartbeat.
  await waitUntil(() => stream.eventIds().length > 0, 15_000);
  expect(stream.eventIds()).toEqual([event.event_id]);
});
