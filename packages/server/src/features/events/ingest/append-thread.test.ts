import { fileURLToPath } from 'node:url';
import type { Event } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { FAULTS } from '../testing/faults.ts';

const workerFile = fileURLToPath(new URL('../testing/faulty-append-worker.ts', import.meta.url));
const service = useTestService({ appendThread: { workerFile, limits: { slowMs: 300, endMs: 2_000 } } });

async function listEventIds(): Promise<string[]> {
  const { credential } = service.tenant;
  const page = await service.client.send('GET', '/events?limit=500', { credential });
  return (page.body as { data: Event[] }).data.map(({ event_id: id }) => id);
}

const isReady = async () => (await service.client.send('GET', '/readyz')).status === 200;

/** Sends an event until it is answered with something else than 503. */
async function sendUntilStored(device: TestDevice, event: Event) {
  let answer = await device.post(event);
  while (answer.status === 503) answer = await device.post(event);
  return answer;
}

test('an event is refused if the thread ends before its transaction', async () => {
  const device = await registerTestDevice(service);
  const faulty = device.event({ description: FAULTS.endsBefore });
  const refused = await device.post(faulty);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.text).toContain('Send the same request again');
  expect(await listEventIds()).not.toContain(faulty.event_id);
  expect((await sendUntilStored(device, device.event())).status).toBe(201);
  expect(service.log()).toContain('writer thread ended during a transaction');
});

test('an event is stored once although the thread ends before it says so', async () => {
  const device = await registerTestDevice(service);
  const event = device.event({ description: FAULTS.endsAfter });
  expect((await device.post(event)).status).toBe(503);
  await waitUntil(async () => (await listEventIds()).includes(event.event_id));
  // Sent again it would end the next thread too.
  expect((await sendUntilStored(device, device.event())).status).toBe(201);
  const ids = await listEventIds();
  expect(ids.filter((id) => id === event.event_id)).toHaveLength(1);
});

test('a stuck thread is replaced, and only events are refused meanwhile', async () => {
  const device = await registerTestDevice(service);
  const { credential } = service.tenant;
  const stored = device.event();
  expect((await device.post(stored)).status).toBe(201);
  const stuck = device.post(device.event({ description: FAULTS.stops }));
  await waitUntil(async () => !(await isReady()));

  expect((await device.post(device.event())).status).toBe(503);
  expect(await listEventIds()).toContain(stored.event_id);
  expect((await service.client.send('GET', '/status', { credential })).status).toBe(200);

  expect((await stuck).status).toBe(503);
  await waitUntil(isReady);
  expect((await sendUntilStored(device, device.event())).status).toBe(201);
  // The terminated thread has left no lock behind.
  const body = { name: 'p', threat_categories: ['phishing'], action: 'warn' };
  expect((await service.client.send('POST', '/policies', { credential, body })).status).toBe(201);
  expect(await listEventIds()).toContain(stored.event_id);
});
