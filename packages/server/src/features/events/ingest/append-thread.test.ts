import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Event } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { afterAll, describe, expect, test } from 'vitest';
import { feedHeadStore } from '../../feed/index.ts';
import { FAULTS } from '../testing/faults.ts';

const workerFile = fileURLToPath(new URL('../testing/faulty-append-worker.ts', import.meta.url));
const service = useTestService({ appendThread: { workerFile, limits: { slowMs: 300, endMs: 2_000 } } });

async function listEventIds(): Promise<string[]> {
  const { credential } = service.tenant;
  const page = await service.client.send('GET', '/events?limit=500', { credential });
  return (page.body as { data: Event[] }).data.map(({ event_id: id }) => id);
}

const isReady = async () => (await service.client.send('GET', '/readyz')).status === 200;

/** Sends an event until the response is not 503. */
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
  expect(refused.text).toContain('Send the same events again');
  expect(await listEventIds()).not.toContain(faulty.event_id);
  expect((await sendUntilStored(device, device.event())).status).toBe(201);
  expect(service.log()).toContain('writer thread ended');
});

test('an event is stored once although the thread ends before it reports the outcome', async () => {
  const device = await registerTestDevice(service);
  const event = device.event({ description: FAULTS.endsAfter });
  expect((await device.post(event)).status).toBe(503);
  await waitUntil(async () => (await listEventIds()).includes(event.event_id));
  // Sent again it would end the next thread too.
  expect((await sendUntilStored(device, device.event())).status).toBe(201);
  const ids = await listEventIds();
  expect(ids.filter((id) => id === event.event_id)).toHaveLength(1);
});

test('events stored by a thread that then fails are not reported as replayed', async () => {
  const device = await registerTestDevice(service);
  const events = [device.event({ description: FAULTS.throws }), device.event(), device.event()];
  const answers = await Promise.all(events.map((event) => device.post(event)));
  for (const { status } of answers) expect([201, 503]).toContain(status);
  await waitUntil(isReady);
});

test('a stuck thread is replaced, and only events are refused meanwhile', async () => {
  const device = await registerTestDevice(service);
  const { credential } = service.tenant;
  const stored = device.event();
  expect((await sendUntilStored(device, stored)).status).toBe(201);
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

describe('a thread that cannot be loaded', () => {
  const broken = join(mkdtempSync(join(tmpdir(), 'tps-thread-')), 'append-worker.ts');
  writeFileSync(broken, 'throw new Error("not loadable");');
  afterAll(() => rmSync(dirname(broken), { recursive: true }));
  const failing = useTestService({ appendThread: { workerFile: broken } });

  test('is started again until it loads, and only events are refused meanwhile', async () => {
    const { credential } = failing.tenant;
    const device = await registerTestDevice(failing);
    expect((await device.post(device.event())).status).toBe(503);
    const body = { name: 'p', threat_categories: ['phishing'], action: 'warn' };
    expect((await failing.client.send('POST', '/policies', { credential, body })).status).toBe(201);
    writeFileSync(broken, `import ${JSON.stringify(pathToFileURL(workerFile).href)};`);
    expect((await sendUntilStored(device, device.event())).status).toBe(201);
  });
});

describe.runIf(process.env.TEST_STORE === 'postgres')('a tenant whose feed is locked', () => {
  // With the usual limits: a wait for the lock must not count as a thread that is stuck.
  const locking = useTestService();

  test('delays no other tenant', async () => {
    const own = await registerTestDevice(locking);
    const tenant = await locking.createTenant();
    const other = await registerTestDevice(locking, { tenant });
    await locking.service.database.transaction(async (tx) => {
      await feedHeadStore.lock(tx, locking.tenant.tenantId);
      const waiting = [own.post(own.event()), own.post(own.event()), own.post(own.event())];
      expect((await other.post(other.event())).status).toBe(201);
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(503);
      // The other tenant no longer waits for it at all.
      const held = own.post(own.event());
      expect((await other.post(other.event())).status).toBe(201);
      expect((await held).status).toBe(503);
    });
    expect((await sendUntilStored(own, own.event())).status).toBe(201);
  });
});
