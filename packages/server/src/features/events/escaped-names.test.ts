import { createHash } from 'node:crypto';
import type { Event } from '@tps/contract';
import { registerTestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import canonicalize from 'canonicalize';
import { beforeEach, describe, expect, test } from 'vitest';

const service = useTestService();
const device = useFixture(async () => registerTestDevice(service, { tenant: await service.createTenant() }), {
  scope: 'test',
});
const stranger = useFixture(() => registerTestDevice(service));

const hashOf = (event: Event) =>
  createHash('sha256')
    .update(canonicalize(event) ?? '')
    .digest('hex');

/** JSON in ASCII, as some programs write it. */
const toAscii = (value: unknown) =>
  JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Names that V8 reads in place of those below, if it has read them before. */
const POISON: object[] = [
  { q: 1, '\\': 1 },
  { '!': 1, '\\': 1 },
  { m1: 1, 'pr\\u00': 1 },
];

beforeEach(async () => {
  for (const metadata of POISON) {
    expect((await stranger.post(stranger.event({ metadata }))).status).toBe(201);
  }
});

describe('after another tenant sent similar names, an event is served as it was sent:', () => {
  test.each<object>([
    { q: 1, '\n': 1 },
    { q: 1, '"': 1 },
    { '!': 1, '"': 1 },
    { '!': 1, '\\': 1, '\\\\': 2, '"': { '!': 1, '"': 3 } },
    { m1: 1, prénom: 1 },
  ])('with metadata %j', async (metadata: object) => {
    const first = device.event({ sequence: 1, metadata });
    const stored = await device.post(toAscii(first));
    expect([stored.status, stored.text]).toEqual([201, canonicalize(first)]);

    const path = `/events/${first.event_id}`;
    const served = await service.client.send('GET', path, device.tenant);
    expect(served.text).toBe(canonicalize(first));

    const second = device.event({ sequence: 2, previous_event_hash: hashOf(first), metadata });
    const batch = toAscii({ events: [first, second] });
    const results = await device.post(batch, { path: '/events/batch' });
    expect(results.body).toMatchObject({ results: [{ status: 200 }, { status: 201 }] });
    const rows = await service.service.database.read.db
      .selectFrom('events')
      .select('device_chain')
      .where('tenant_id', '=', device.tenant.tenantId)
      .execute();
    expect(rows.map((row) => row.device_chain)).toEqual(['linked', 'linked']);
  });
});
