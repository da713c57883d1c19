import type { Event } from '@tps/contract';
import { codeOf, registerTestDevice, testEvent } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type TestTenant, useTestService } from '@tps/testing/service';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filterOf, HOUR_MS, NOW_MS, storedEvents, storeEvents } from '../feed/testing/stored-events.ts';
import { MAX_SCANNED } from './feed-page.ts';

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));

interface FeedPage {
  readonly data: Event[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

async function readPage(tenant: TestTenant, query: string): Promise<FeedPage> {
  const answer = await service.client.send('GET', `/events?${query}`, { credential: tenant.credential });
  expect(answer.status).toBe(200);
  return answer.body as FeedPage;
}

async function readAll(tenant: TestTenant, filter: string, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let page = await readPage(tenant, `limit=${limit}${filter}`);
  for (;;) {
    expect(page.data.length).toBeLessThanOrEqual(limit);
    ids.push(...page.data.map((event) => event.event_id));
    if (!page.has_more) return ids;
    page = await readPage(tenant, `limit=${limit}${filter}&cursor=${page.next_cursor}`);
  }
}

/** Whether an event passes a filter of a request, which may begin with `!`. */
function passes(event: Event, name: string, filter: string): boolean {
  const { indicators = [], metadata } = event;
  const own = { indicator: indicators, device_platform: [metadata?.device_platform] }[name];
  const values: readonly unknown[] = own ?? [event[name as keyof Event]];
  return values.includes(filter.replace('!', '')) !== filter.startsWith('!');
}

describe('the feed', () => {
  test('returns with any filters what a full scan returns', async () => {
    const tenant = await service.createTenant();
    let feeds = 0;
    await fc.assert(
      fc.asyncProperty(
        storedEvents(tenant.tenantId),
        filterOf,
        fc.integer({ min: 1, max: 9 }),
        async (all, drawn, limit) => {
          const fresh = feeds === 0 ? tenant : await service.createTenant();
          feeds += 1;
          await storeEvents(service.service.database, fresh.tenantId, all);
          const { since, received_since: receivedSince, ...exact } = drawn;
          // Some lie between the arrival and the timestamp of an event whose device's clock is ahead.
          const toMs = (hours: number) => NOW_MS + hours * HOUR_MS + (hours % 2 === 0 ? 0 : 180_000);
          const expected = all.filter(
            ({ event, receivedAtMs }) =>
              Object.entries(exact).every(([name, value]) => passes(event, name, value)) &&
              (since === undefined || Date.parse(event.timestamp) >= toMs(since)) &&
              (receivedSince === undefined || receivedAtMs >= toMs(receivedSince)),
          );
          const times = { since, received_since: receivedSince };
          const query = [
            ...Object.entries(exact).map(([name, value]) => `&${name}=${encodeURIComponent(value)}`),
            ...Object.entries(times).map(([name, hours]) =>
              hours === undefined ? '' : `&${name}=${new Date(toMs(hours)).toISOString()}`,
            ),
          ].join('');
          const ids = expected.map(({ event }) => event.event_id);
          expect(await readAll(fresh, query, limit)).toEqual(ids);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('since finds an event dated after its arrival by a clock that is ahead', async () => {
    const tenant = await service.createTenant();
    const timestamp = new Date(NOW_MS + 300_000).toISOString();
    const event = testEvent({ tenant_id: tenant.tenantId, device_id: 'dev_a', timestamp });
    await storeEvents(service.service.database, tenant.tenantId, [{ event, receivedAtMs: NOW_MS }]);
    const since = (ms: number) => readPage(tenant, `since=${new Date(NOW_MS + ms).toISOString()}`);
    expect((await since(300_000)).data).toEqual([event]);
    expect((await since(300_001)).data).toEqual([]);
  });

  test('returns a cursor with an empty page, from which later events are read', async () => {
    const tenant = await service.createTenant();
    const sender = await registerTestDevice(service, { tenant });
    const empty = await readPage(tenant, 'severity=low');
    expect(empty).toMatchObject({ data: [], has_more: false });
    await sender.post(sender.event({ severity: 'high' }));
    const event = sender.event({ severity: 'low' });
    await sender.post(event);
    const next = await readPage(tenant, `severity=low&cursor=${empty.next_cursor}`);
    expect(next.data).toEqual([event]);
    const end = await readPage(tenant, `severity=low&cursor=${next.next_cursor}`);
    expect(end).toMatchObject({ data: [], has_more: false });
  });

  test('scans a bounded range per page, and reports that there is more', async () => {
    const tenant = await service.createTenant();
    const make = (severity: Event['severity']) =>
      testEvent({ tenant_id: tenant.tenantId, device_id: 'dev_a', severity });
    const many = Array.from({ length: MAX_SCANNED + 5 }, (_, index) =>
      make(index === MAX_SCANNED + 2 ? 'low' : 'high'),
    );
    await storeEvents(
      service.service.database,
      tenant.tenantId,
      many.map((event) => ({ event, receivedAtMs: NOW_MS })),
    );
    const first = await readPage(tenant, 'severity=low');
    expect([first.data, first.has_more]).toEqual([[], true]);
    const second = await readPage(tenant, `severity=low&cursor=${first.next_cursor}`);
    expect([second.data, second.has_more]).toEqual([[many[MAX_SCANNED + 2]], false]);
  });

  test('returns one event as stored, and only to its tenant', async () => {
    const event = device.event();
    await device.post(event);
    const path = `/events/${event.event_id}`;
    expect((await service.client.send('GET', path, device.tenant)).body).toEqual(event);
    for (const [where, tenant] of [
      [path, await service.createTenant()],
      ['/events/evt_none', device.tenant],
    ] as const) {
      const answer = await service.client.send('GET', where, { credential: tenant.credential });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    }
  });
});
