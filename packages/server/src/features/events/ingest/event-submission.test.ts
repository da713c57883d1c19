import type { Event } from '@tps/contract';
import { codeOf, registerTestDevice, signedSend } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';

const DAY_MS = 86_400_000;

const clock = new ManualClock(Date.now());
const service = useTestService({ clock, env: { SERVICE_EVENT_RETENTION_DAYS: '30' } });
const device = useFixture(() => registerTestDevice(service));

async function send(event: unknown, sender = device) {
  const answer = await sender.post(event);
  return [answer.status, codeOf(answer)];
}

const at = (offsetMs: number) => new Date(clock.now() + offsetMs).toISOString();

describe('an event', () => {
  test('gets 201 with its location; the same again 200; other content under its id 409', async () => {
    const event = { ...device.event(), description: 'first', metadata: { b: 1, a: [1, { d: 2, c: 3 }] } };
    const first = await device.post(event);
    expect(first.status).toBe(201);
    expect(first.headers.get('location')).toBe(`/events/${event.event_id}`);
    const reordered = Object.fromEntries(Object.entries(event).reverse());
    for (const same of [event, reordered]) {
      const again = await device.post(same);
      expect([again.status, again.body]).toEqual([200, event]);
    }
    expect(await send({ ...event, description: 'second' })).toEqual([409, 'event_id_conflict']);
    expect((await service.client.send('GET', `/events/${event.event_id}`, device.tenant)).body).toEqual(
      event,
    );
  });

  test('of another device under a known id is a conflict', async () => {
    const event = device.event();
    await device.post(event);
    const other = await registerTestDevice(service);
    expect(await send({ ...event, device_id: other.deviceId }, other)).toEqual([409, 'event_id_conflict']);
  });

  test("under the id of another tenant's event is a separate event", async () => {
    const other = await registerTestDevice(service, { tenant: await service.createTenant() });
    const event = device.event();
    expect((await device.post(event)).status).toBe(201);
    expect((await other.post(other.event({ event_id: event.event_id }))).status).toBe(201);
  });

  test('with the action allow is accepted and opens nothing', async () => {
    const sender = await registerTestDevice(service, { tenant: await service.createTenant() });
    expect((await sender.post(sender.event({ action_taken: 'allow', severity: 'critical' }))).status).toBe(
      201,
    );
    for (const list of ['threats', 'alerts', 'incidents']) {
      const answer = await service.client.send('GET', `/${list}`, { credential: sender.tenant.credential });
      expect((answer.body as { data: unknown[] }).data).toEqual([]);
    }
  });

  test('may be as old as the retention and 5 minutes ahead, and not beyond', async () => {
    expect(await send(device.event({ timestamp: at(-30 * DAY_MS) }))).toEqual([201, undefined]);
    expect(await send(device.event({ timestamp: at(-30 * DAY_MS - 1) }))).toEqual([400, 'event_too_old']);
    expect(await send(device.event({ timestamp: at(5 * 60_000) }))).toEqual([201, undefined]);
    expect(await send(device.event({ timestamp: at(5 * 60_000 + 1) }))).toEqual([400, 'event_in_future']);
  });

  test('is stored with its time in UTC, for any offset', async () => {
    const utc = at(-60_000);
    const local = `${new Date(clock.now() - 60_000 + 5.5 * 3_600_000).toISOString().slice(0, -1)}+05:30`;
    const event = device.event({ timestamp: local });
    expect((await device.post(event)).body).toEqual({ ...event, timestamp: utc });
    expect((await device.post(event)).status).toBe(200);
    expect((await device.post({ ...event, timestamp: utc })).status).toBe(200);
  });

  test('may repeat its tenant in metadata, and name no other', async () => {
    const copy = (tenantId: string) => device.event({ metadata: { tenant_id: tenantId } });
    expect(await send(copy(device.tenant.tenantId))).toEqual([201, undefined]);
    expect(await send(copy('tnt_other'))).toEqual([400, 'invalid_field']);
  });

  test('may contain 4096 bytes of metadata, and not one more', async () => {
    const withNote = (note: string) => ({ ...device.event(), metadata: { note } });
    const room = 4096 - JSON.stringify({ note: '' }).length;
    expect(await send(withNote('x'.repeat(room)))).toEqual([201, undefined]);
    expect(await send(withNote('x'.repeat(room + 1)))).toEqual([400, 'invalid_field']);
    expect(await send(withNote('é'.repeat(room / 2 + 1)))).toEqual([400, 'invalid_field']);
    expect(await send(device.event({ metadata: { device_platform: 'symbian' as 'ios' } }))).toEqual([
      400,
      'invalid_field',
    ]);
  });

  test.each<[string, object, string]>([
    ['lacks a member', { severity: undefined }, 'missing_field'],
    ['has an unknown member', { extra: 1 }, 'invalid_field'],
    ['has a confidence as text', { confidence: '0.5' }, 'invalid_field'],
    ['has a confidence above 1', { confidence: 1.01 }, 'invalid_field'],
    ['has an unknown category', { threat_category: 'gossip' }, 'invalid_field'],
    ['has an id of another form', { event_id: 'alr_1' }, 'invalid_field'],
    ['has a time without an offset', { timestamp: '2026-01-01T00:00:00' }, 'invalid_field'],
    ['has an old leap second', { timestamp: '2016-12-31T23:59:60Z' }, 'event_too_old'],
    ['has a 61st second within a month', { timestamp: '2026-02-27T23:59:60Z' }, 'invalid_field'],
    ['has a day that does not exist', { timestamp: '2026-02-30T00:00:00Z' }, 'invalid_field'],
    ['has 65 indicators', { indicators: Array.from({ length: 65 }, (_, i) => `i${i}`) }, 'invalid_field'],
    ['has a sequence of 0', { sequence: 0 }, 'invalid_field'],
  ])('that %s is rejected', async (_, members, code) => {
    const event = device.event(members as Partial<Event>);
    expect(await send(event)).toEqual([400, code]);
    expect((await service.client.send('GET', `/events/${event.event_id}`, device.tenant)).status).toBe(404);
  });

  test.each(['9007199254740993', '-9223372036854775807', '18446744073709551615', '1e400'])(
    'with the number %s, which would be stored as another one, is rejected by its name',
    async (number) => {
      const event = device.event({ metadata: { process: { id: 0 } } as object });
      const body = JSON.stringify(event).replace('"id":0', `"id":${number}`);
      const alone = await device.post(body);
      expect([alone.status, codeOf(alone)]).toEqual([400, 'invalid_field']);
      expect(alone.text).toContain('metadata.process.id');
      const batch = await device.post(`{"events":[${body}]}`, { path: '/events/batch' });
      expect([batch.status, codeOf(batch)]).toEqual([400, 'invalid_field']);
      expect(batch.text).toContain('events[0].metadata.process.id');
    },
  );

  test('that names another device or tenant than the signing one is rejected', async () => {
    const other = await registerTestDevice(service);
    expect(await send(device.event({ device_id: other.deviceId }))).toEqual([401, 'invalid_signature']);
    expect(await send(device.event({ tenant_id: 'tnt_other' }))).toEqual([403, 'tenant_mismatch']);
  });
});

describe('a correction', () => {
  test('must name the first event of the same device and tenant', async () => {
    const other = await registerTestDevice(service);
    const elsewhere = await registerTestDevice(service, { tenant: await service.createTenant() });
    const root = device.event();
    await device.post(root);
    const corrects = { corrects_event_id: root.event_id, correction_reason: 'known sender' };
    const correction = device.event({ ...corrects, action_taken: 'allow' });
    expect(await send(correction)).toEqual([201, undefined]);

    const refused = [400, 'original_event_not_found'];
    expect(await send(device.event({ corrects_event_id: correction.event_id }))).toEqual(refused);
    expect(await send(device.event({ corrects_event_id: 'evt_never' }))).toEqual(refused);
    expect(await send(other.event(corrects), other)).toEqual(refused);
    expect(await send(elsewhere.event(corrects), elsewhere)).toEqual(refused);
    const selfish = device.event();
    expect(await send({ ...selfish, corrects_event_id: selfish.event_id })).toEqual(refused);
  });

  test('to allow dismisses the threat and resolves the alert; the newest correction counts', async () => {
    const sender = await registerTestDevice(service, { tenant: await service.createTenant() });
    const { credential } = sender.tenant;
    const read = async () => {
      const lists = await Promise.all(
        ['threats', 'alerts'].map((list) => service.client.send('GET', `/${list}`, { credential })),
      );
      return lists.map(({ body }) =>
        (body as { data: { status: string }[] }).data.map(({ status }) => status),
      );
    };
    const root = sender.event({ indicators: ['sig:1'] });
    await sender.post(root);
    expect(await read()).toEqual([['active'], ['open']]);
    await sender.post(sender.event({ corrects_event_id: root.event_id, action_taken: 'allow' }));
    expect(await read()).toEqual([['dismissed'], ['resolved']]);
    await sender.post(sender.event({ corrects_event_id: root.event_id, indicators: ['sig:1'] }));
    expect(await read()).toEqual([
      ['active', 'dismissed'],
      ['open', 'resolved'],
    ]);
  });
});

describe('the store never contains data that must stay on the device', () => {
  const SECRETS = [
    'anna.muster@example.org',
    '+41 79 123 45 67',
    'https://evil.example/login',
    '198.51.100.77',
  ];

  test('because text, indicators and metadata are redacted before they are stored', async () => {
    const [email, phone, url, address] = SECRETS;
    const event = {
      ...device.event(),
      description: `Call ${phone}, write to ${email}, open ${url}`,
      indicators: [`${url}`, `${address}`, 'sig:clean'],
      metadata: { sender: email, deep: { list: [`from ${address}`] } },
    };
    const stored = (await device.post(event)).body as Event;
    expect(stored.description).toMatch(/^Call \[phone\], write to \[email\], open url:sha256:[0-9a-f]{64}$/);
    expect(stored.indicators).toContain('198.51.100.0/24');
    expect(stored.indicators).toContain('sig:clean');
    expect(stored.metadata).toMatchObject({ sender: '[email]', deep: { list: ['from 198.51.100.0/24'] } });

    const found = await searchStore(SECRETS);
    expect(found).toEqual([]);
    expect(await searchStore([event.event_id])).not.toEqual([]);
    // The stored event equals what an agent would have sent: sent again, it is the same event.
    const again = await signedSend(service, device, stored);
    expect([again.status, again.body]).toEqual([200, stored]);
    expect((await device.post(event)).status).toBe(200);
  });
});

/** Searches for texts in every column of every table. */
async function searchStore(texts: readonly string[]): Promise<string[]> {
  const { read } = service.service.database;
  const tables = [
    'events',
    'threats',
    'alerts',
    'incidents',
    'incident_timeline',
    'sightings',
    'audit_entries',
  ] as const;
  const found: string[] = [];
  for (const table of tables) {
    const rows = await read.db.selectFrom(table).selectAll().execute();
    for (const text of texts) if (JSON.stringify(rows).includes(text)) found.push(`${table}: ${text}`);
  }
  return found;
}
