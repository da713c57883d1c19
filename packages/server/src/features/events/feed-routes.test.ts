import { randomBytes } from 'node:crypto';
import { type Event, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { codeOf } from '../../testing/signed-send.ts';
import { registerTestDevice, type TestDevice, testEvent } from '../../testing/test-device.ts';
import { startTestService, type TestService, type TestTenant } from '../../testing/test-service.ts';
import { MAX_SCANNED } from './feed.ts';
import { findPositionBefore } from './feed-store.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.now();

let service: TestService;
let device: TestDevice;

beforeAll(async () => {
  service = await startTestService();
  device = await registerTestDevice(service);
});

afterAll(async () => {
  await service.stop();
});

interface Stored {
  readonly event: Event;
  readonly receivedAtMs: number;
}

interface FeedPage {
  readonly data: Event[];
  readonly has_more: boolean;
  readonly next_cursor: string;
}

/** Puts events straight into the table, with arrivals that a test chooses. */
async function store(tenantId: TenantId, events: readonly Stored[]): Promise<void> {
  const rows = events.map(({ event, receivedAtMs }, index) => ({
    tenant_id: tenantId,
    position: index + 1,
    event_id: event.event_id,
    received_at: receivedAtMs,
    timestamp: Date.parse(event.timestamp),
    device_id: event.device_id,
    threat_category: event.threat_category,
    severity: event.severity,
    threat_id: null,
    alert_id: null,
    corrects_event_id: null,
    device_chain: 'unchained',
    event_hash: Buffer.alloc(32),
    chain_hash: Buffer.alloc(32),
    signed_digest: Buffer.alloc(32),
    body: JSON.stringify(event),
  }));
  await service.service.database.transaction(async (tx) => {
    for (let from = 0; from < rows.length; from += 1000)
      await tx.insertMany('events', rows.slice(from, from + 1000));
    const received_at = events.at(-1)?.receivedAtMs ?? 0;
    await tx.insertMany('feed_heads', [
      { tenant_id: tenantId, position: rows.length, chain_hash: Buffer.alloc(32), received_at },
    ]);
  });
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

/** Arrivals ascend, with moments shared by several events; decisions lie up to 5 minutes after and hours before. */
const storedEvents = (tenantId: string) =>
  fc
    .array(
      fc.record({
        severity: fc.constantFrom(...SEVERITIES),
        threat_category: fc.constantFrom(...THREAT_CATEGORIES.slice(0, 2)),
        device_id: fc.constantFrom('dev_a', 'dev_b'),
        pauseMs: fc.constantFrom(0, 0, 1, HOUR_MS),
        agoMs: fc.constantFrom(-300_000, 0, HOUR_MS, 5 * HOUR_MS),
      }),
      { maxLength: 40 },
    )
    .map((drawn) => {
      let receivedAtMs = NOW_MS - 200 * HOUR_MS;
      return drawn.map(({ pauseMs, agoMs, ...members }): Stored => {
        receivedAtMs += pauseMs;
        const timestamp = new Date(receivedAtMs - agoMs).toISOString();
        return { receivedAtMs, event: testEvent({ tenant_id: tenantId, timestamp, ...members }) };
      });
    });

const filterOf = fc.record(
  {
    severity: fc.constantFrom(...SEVERITIES),
    threat_category: fc.constantFrom(...THREAT_CATEGORIES.slice(0, 3)),
    device_id: fc.constantFrom('dev_a', 'dev_b', 'dev_c'),
    since: fc.integer({ min: -210, max: 50 }),
    received_since: fc.integer({ min: -210, max: 50 }),
  },
  { requiredKeys: [] },
);

describe('the feed', () => {
  test('gives with any filters what looking at every event gives', async () => {
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
          await store(fresh.tenantId, all);
          const { since, received_since: receivedSince, ...exact } = drawn;
          const toMs = (hours: number) => NOW_MS + hours * HOUR_MS;
          const expected = all.filter(
            ({ event, receivedAtMs }) =>
              Object.entries(exact).every(([name, value]) => event[name as 'severity'] === value) &&
              (since === undefined || Date.parse(event.timestamp) >= toMs(since)) &&
              (receivedSince === undefined || receivedAtMs >= toMs(receivedSince)),
          );
          const times = { since, received_since: receivedSince };
          const query = [
            ...Object.entries(exact).map(([name, value]) => `&${name}=${value}`),
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
  }, 60_000);

  test('finds where arrivals before a moment end as looking at every event does', async () => {
    const { read } = service.service.database;
    await fc.assert(
      fc.asyncProperty(
        storedEvents('tnt_x'),
        fc.array(fc.integer({ min: -3, max: 45 })),
        async (all, hours) => {
          const tenantId = `tnt_${randomBytes(6).toString('hex')}` as TenantId;
          await store(tenantId, all);
          const moments = [
            ...all.map(({ receivedAtMs }) => receivedAtMs),
            ...hours.map((hour) => NOW_MS + (hour - 200) * HOUR_MS),
          ];
          for (const moment of moments.flatMap((ms) => [ms - 1, ms, ms + 1])) {
            const naive = all.filter(({ receivedAtMs }) => receivedAtMs < moment).length;
            expect(await findPositionBefore(read, tenantId, moment)).toBe(naive);
          }
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  test('gives a cursor also with an empty page, and what comes later is read from there', async () => {
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

  test('looks at a bounded stretch for each page, and says that there is more', async () => {
    const tenant = await service.createTenant();
    const make = (severity: Event['severity']) =>
      testEvent({ tenant_id: tenant.tenantId, device_id: 'dev_a', severity });
    const many = Array.from({ length: MAX_SCANNED + 5 }, (_, index) =>
      make(index === MAX_SCANNED + 2 ? 'low' : 'high'),
    );
    await store(
      tenant.tenantId,
      many.map((event) => ({ event, receivedAtMs: NOW_MS })),
    );
    const first = await readPage(tenant, 'severity=low');
    expect([first.data, first.has_more]).toEqual([[], true]);
    const second = await readPage(tenant, `severity=low&cursor=${first.next_cursor}`);
    expect([second.data, second.has_more]).toEqual([[many[MAX_SCANNED + 2]], false]);
  });

  test('gives one event as it was stored, and to its tenant only', async () => {
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
