import type { Event } from '@tps/contract';
import { registerTestDevice, type TestDevice } from '@tps/testing/device';
import { openTestStream, type TestStream, type TestTenant, useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const service = useTestService();

async function createSender(tenant?: TestTenant): Promise<TestDevice> {
  return registerTestDevice(service, { tenant: tenant ?? (await service.createTenant()) });
}

async function open(
  { tenant }: Pick<TestDevice, 'tenant'>,
  { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
): Promise<TestStream> {
  const { credential } = tenant;
  const stream = await openTestStream(service, { path: `/events/stream${query}`, credential, headers });
  onTestFinished(() => stream.close());
  return stream;
}

/** Stores events and returns their ids. */
async function send(device: TestDevice, count: number, members: Partial<Event> = {}): Promise<string[]> {
  const events = Array.from({ length: count }, () => device.event(members));
  const answer = await device.post({ events }, { path: '/events/batch' });
  expect(answer.status, answer.text).toBe(200);
  return events.map(({ event_id }) => event_id);
}

const receives = (stream: TestStream, count: number) => waitUntil(() => stream.eventIds().length >= count);

async function readPage(device: TestDevice, query: string) {
  const { body } = await service.client.send('GET', `/events${query}`, device.tenant);
  const { data, next_cursor } = body as { data: Event[]; next_cursor: string };
  return { ids: data.map(({ event_id }) => event_id), cursor: next_cursor };
}

test('a stream without a cursor begins at the end of the feed', async () => {
  const device = await createSender();
  await send(device, 3);
  const stream = await open(device);
  expect(stream.status).toBe(200);
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  });
  expect(stream.text()).toMatch(/^retry: 1000\nid: \S+\nevent: ready\ndata: \{\}\n\n$/);
  const later = await send(device, 2);
  await receives(stream, 2);
  expect(stream.eventIds()).toEqual(later);
});

test('the data of a message is the stored event', async () => {
  const device = await createSender();
  const stream = await open(device);
  const [id] = await send(device, 1, { description: 'Call +49 30 1234567\nat once' });
  await receives(stream, 1);
  const stored = await service.client.send('GET', `/events/${id}`, device.tenant);
  expect(stream.messages().at(-1)?.data).toBe(stored.text);
});

test('a stream continues after a page, and a page after a stream, without gap or duplicate', async () => {
  const device = await createSender();
  const before = await send(device, 5);
  const page = await readPage(device, '?limit=2');
  expect(page.ids).toEqual(before.slice(0, 2));
  const stream = await open(device, { query: `?cursor=${page.cursor}` });
  const later = await send(device, 2);
  await receives(stream, 5);
  expect(stream.eventIds()).toEqual([...before.slice(2), ...later]);
  stream.close();
  const last = await send(device, 1);
  expect((await readPage(device, `?cursor=${stream.lastId()}`)).ids).toEqual(last);
});

test('Last-Event-ID has precedence over the cursor of the URL', async () => {
  const device = await createSender();
  const stream = await open(device);
  const first = stream.lastId();
  const ids = await send(device, 3);
  await receives(stream, 3);
  const [, , second] = stream.messages().map(({ id }) => id);
  const resumed = await open(device, {
    query: `?cursor=${first}`,
    headers: { 'last-event-id': second ?? '' },
  });
  await receives(resumed, 1);
  expect(resumed.eventIds()).toEqual(ids.slice(2));
});

test.each(['damaged', 'AQxXbXlQb3NpdGlvbg'])('the cursor %s is refused', async (cursor) => {
  const device = await createSender();
  for (const wanted of [{ query: `?cursor=${cursor}` }, { headers: { 'last-event-id': cursor } }]) {
    const stream = await open(device, wanted);
    expect(stream.status).toBe(400);
    expect(stream.text()).toContain('invalid_cursor');
  }
});

test('a cursor of other filters or of another tenant is refused', async () => {
  const device = await createSender();
  const other = await createSender();
  const { cursor } = await readPage(device, '?severity=high');
  const refused = await open(device, { query: `?severity=low&cursor=${cursor}` });
  expect(refused.text()).toContain('cursor_filter_mismatch');
  expect((await open(other, { query: `?severity=high&cursor=${cursor}` })).text()).toContain(
    'invalid_cursor',
  );
});

test.each<[string, Partial<Event>, Partial<Event>]>([
  ['severity=critical', { severity: 'critical' }, { severity: 'low' }],
  ['threat_category=deepfake', { threat_category: 'deepfake' }, { threat_category: 'phishing' }],
  ['since=2030-01-01T00:00:00Z', {}, {}],
])('the filter %s selects the same events live as when the stream resumes', async (filter, match, other) => {
  const device = await createSender();
  const start = (await readPage(device, `?${filter}`)).cursor;
  const live = await open(device, { query: `?${filter}` });
  const isTime = filter.startsWith('since');
  await send(device, 2, other);
  const matching = await send(device, 2, match);
  await send(device, 1, other);
  const expected = isTime ? [] : matching;
  const all = await open(device);
  const marker = await send(device, 1, match);
  await receives(all, 1);
  const wanted = isTime ? [] : [...expected, ...marker];
  await receives(live, wanted.length);
  const resumed = await open(device, { query: `?${filter}&cursor=${start}` });
  await receives(resumed, wanted.length);
  expect(live.eventIds()).toEqual(wanted);
  expect(resumed.eventIds()).toEqual(wanted);
});

test('the events of one device are streamed by its id', async () => {
  const device = await createSender();
  const other = await createSender(device.tenant);
  const stream = await open(device, { query: `?device_id=${device.deviceId}` });
  await send(other, 2);
  const ids = await send(device, 2);
  await receives(stream, 2);
  expect(stream.eventIds()).toEqual(ids);
});

test('two tenants receive their own events only', async () => {
  const [one, other] = [await createSender(), await createSender()];
  const [streamOfOne, streamOfOther] = [await open(one), await open(other)];
  const [idsOfOne, idsOfOther] = await Promise.all([send(one, 20), send(other, 30)]);
  await receives(streamOfOne, 20);
  await receives(streamOfOther, 30);
  expect(streamOfOne.eventIds()).toEqual(idsOfOne);
  expect(streamOfOther.eventIds()).toEqual(idsOfOther);
});

test('a stream that begins far behind receives everything in order', async () => {
  const device = await createSender();
  const { cursor } = await readPage(device, '');
  const ids = [...(await send(device, 500)), ...(await send(device, 500))];
  const stream = await open(device, { query: `?cursor=${cursor}` });
  const later = await send(device, 200);
  await receives(stream, 1_200);
  expect(stream.eventIds()).toEqual([...ids, ...later]);
});

test('a reader that stops for a while receives everything afterwards', async () => {
  const device = await createSender();
  const stream = await open(device);
  stream.pause();
  const note = 'x'.repeat(3_500);
  const ids: string[] = [];
  for (let batch = 0; batch < 8; batch += 1) ids.push(...(await send(device, 200, { description: note })));
  stream.resume();
  await receives(stream, ids.length);
  expect(stream.eventIds()).toEqual(ids);
});

test('HEAD opens no stream', async () => {
  const { tenant } = await createSender();
  for (let round = 0; round < 3; round += 1) {
    const response = await fetch(`${service.baseUrl}/events/stream`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${tenant.credential}` },
    });
    expect(response.status).toBe(200);
  }
});

test('a stream ends within seconds of the revocation of its token', async () => {
  const device = await createSender();
  const { tenant } = device;
  const body = { name: 'reader', scopes: ['events:read'] };
  const made = await service.client.send('POST', '/tokens', { ...tenant, body });
  const { token, token_id } = made.body as { token: string; token_id: string };
  const [revoked, other] = [await open({ tenant: { ...tenant, credential: token } }), await open(device)];
  expect((await service.client.send('DELETE', `/tokens/${token_id}`, tenant)).status).toBe(204);
  await revoked.ended();
  expect(revoked.messages().at(-1)).toMatchObject({ event: 'end' });
  expect(revoked.text()).toContain('"code":"invalid_credentials"');
  await send(device, 1);
  await receives(other, 1);
  expect(revoked.eventIds()).toEqual([]);
});

test('a stream ends when its token expires', async () => {
  const { tenant } = await createSender();
  const credential = await service.createCredential(tenant.tenantId, ['events:read'], Date.now() + 1_500);
  const stream = await open({ tenant: { ...tenant, credential } });
  await stream.ended();
  expect(stream.text()).toContain('"code":"invalid_credentials"');
});
