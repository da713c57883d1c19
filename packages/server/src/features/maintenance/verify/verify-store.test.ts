import { useTestDatabase } from '@tps/testing/store';
import type { KyselyPlugin } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { Queries, ReadQueries } from '../../../database/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { eventHashOf, eventStore, feedHeadStore, nextChainHash } from '../../feed/index.ts';
import { verifyFeed } from './verify-feed.ts';
import { verifyStore } from './verify-store.ts';

const EVENTS = 450;
const ONE = 'tnt_one' as TenantId;
const OTHER = 'tnt_other' as TenantId;

const store = useTestDatabase({ scope: 'test' });

beforeEach(async () => {
  await store.database.transaction(async (tx) => {
    for (const tenantId of [ONE, OTHER]) await createTenant(tx, tenantId);
  });
  for (const tenantId of [ONE, OTHER]) await append(tenantId, EVENTS);
});

async function createTenant(tx: Queries, tenantId: TenantId): Promise<void> {
  await tx.insertMany('tenants', [
    {
      tenant_id: tenantId,
      name: tenantId,
      environment: 'test',
      created_at: 1,
      rate_limit_per_minute: null,
      triage_at_once: null,
      triage_since: null,
      delete_after: null,
    },
  ]);
}

/** Appends events to the feed as ingest does, without deriving anything. */
async function append(tenantId: TenantId, count: number): Promise<void> {
  await store.database.transaction(async (tx) => {
    let { position, chainHash } = await feedHeadStore.lock(tx, tenantId);
    const rows: Parameters<typeof eventStore.appendMany>[1][number][] = [];
    for (let index = 0; index < count; index += 1) {
      position += 1;
      const body = JSON.stringify({
        event_id: `evt_${position}`,
        tenant_id: tenantId,
        device_id: 'dev_a',
        timestamp: '1970-01-01T00:00:00.001Z',
        threat_category: 'phishing',
        severity: 'low',
        action_taken: 'allow',
      });
      const eventHash = eventHashOf(body);
      chainHash = nextChainHash(chainHash, eventHash);
      rows.push({
        tenant_id: tenantId,
        position,
        event_id: `evt_${position}`,
        body,
        device_id: 'dev_a',
        received_at: 1,
        timestamp: 1,
        threat_category: 'phishing',
        severity: 'low',
        threat_id: null,
        alert_id: null,
        corrects_event_id: null,
        device_chain: 'unchained',
        filter_keys: null,
        event_hash: eventHash,
        chain_hash: chainHash,
        signed_digest: eventHash,
      });
    }
    await eventStore.appendMany(tx, rows);
    await feedHeadStore.advance(tx, tenantId, { position, chainHash, receivedAtMs: 1 });
  });
}

function change(work: (db: Queries['db']) => { execute(): Promise<unknown> }): Promise<void> {
  return store.database.transaction(async (tx) => {
    await work(tx.db).execute();
  });
}

function removeUpTo(position: number): Promise<void> {
  return change((db) =>
    db.deleteFrom('events').where('tenant_id', '=', ONE).where('position', '<=', position),
  );
}

function changeEvent(position: number, columns: { body?: string; chain_hash?: Buffer; event_hash?: Buffer }) {
  return change((db) =>
    db.updateTable('events').set(columns).where('tenant_id', '=', ONE).where('position', '=', position),
  );
}

test('a store with complete feeds is sound', async () => {
  expect(await verifyStore(store.url)).toMatchObject({ problems: [], tenants: 2, events: 2 * EVENTS });
});

test.each([1, 200, EVENTS - 1, EVENTS])(
  'a feed whose first %d events were purged is sound',
  async (count) => {
    await removeUpTo(count);
    expect(await verifyStore(store.url)).toMatchObject({
      problems: [],
      tenants: 2,
      events: 2 * EVENTS - count,
    });
  },
);

test.each<[string, RegExp, () => Promise<void>]>([
  ['the text of the first event', /event 1 does not match its hash/, () => changeEvent(1, { body: '{}' })],
  [
    'the text of the last event',
    /event 450 does not match its hash/,
    () => changeEvent(EVENTS, { body: '{}' }),
  ],
  [
    'a text and its hash',
    /chain hash of event 201 does not follow/,
    () => changeEvent(201, { body: '{}', event_hash: eventHashOf('{}') }),
  ],
  ['a chain hash', /chain hash of event 200 /, () => changeEvent(200, { chain_hash: Buffer.alloc(32) })],
  ['the first chain hash', /chain hash of event 1 /, () => changeEvent(1, { chain_hash: Buffer.alloc(32) })],
  [
    'a missing event',
    /event 202 follows event 200: events are missing/,
    () => change((db) => db.deleteFrom('events').where('tenant_id', '=', ONE).where('position', '=', 201)),
  ],
  [
    'a missing last event',
    /the last event is 449, but the recorded end is 450/,
    () => change((db) => db.deleteFrom('events').where('tenant_id', '=', ONE).where('position', '=', EVENTS)),
  ],
  [
    'a recorded end that lies before the last event',
    /event 450 lies after the recorded end 7/,
    () => change((db) => db.updateTable('feed_heads').set({ position: 7 }).where('tenant_id', '=', ONE)),
  ],
  [
    'a missing end',
    /event 450 lies after the recorded end 0/,
    () => change((db) => db.deleteFrom('feed_heads').where('tenant_id', '=', ONE)),
  ],
  [
    'another hash at the recorded end',
    /chain hash of the recorded end 450 differs/,
    () =>
      change((db) =>
        db
          .updateTable('feed_heads')
          .set({ chain_hash: Buffer.alloc(32) })
          .where('tenant_id', '=', ONE),
      ),
  ],
])('%s is reported for the affected feed only', async (_, message, damage) => {
  await damage();
  const { problems } = await verifyStore(store.url);
  expect(problems).toEqual([expect.stringMatching(message)]);
  expect(problems[0]).toMatch(/^feed of tnt_one: /);
});

test('a changed chain hash right after the purged events is reported', async () => {
  await removeUpTo(100);
  await changeEvent(101, { chain_hash: Buffer.alloc(32) });
  expect((await verifyStore(store.url)).problems).toEqual([
    expect.stringMatching(/chain hash of event 102 does not follow/),
  ]);
});

/** Returns queries that call a function after the first page of a feed was read. */
function readWith(afterFirstPage: () => Promise<void>): ReadQueries {
  const { read } = store.database;
  let isFirst = true;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const isPage = result.rows.some((row) => 'body' in row);
      if (isPage && isFirst) {
        isFirst = false;
        await afterFirstPage();
      }
      return result;
    },
  };
  return { ...read, db: (read.db as Queries['db']).withPlugin(plugin) };
}

test.each([201, 250, EVENTS - 1, EVENTS])(
  'a feed is sound if events up to %d are purged and others arrive during the check',
  async (position) => {
    const queries = readWith(async () => {
      await removeUpTo(position);
      await append(ONE, 400);
    });
    const { events, problem } = await verifyFeed(queries, ONE, { clock: systemClock });
    expect(problem).toBeUndefined();
    expect(events).toBe(200 + EVENTS - position);
    expect((await verifyFeed(store.database.read, ONE, { clock: systemClock })).problem).toBeUndefined();
  },
);

test('an event removed from the middle of a feed during the check is reported', async () => {
  const queries = readWith(() =>
    change((db) => db.deleteFrom('events').where('tenant_id', '=', ONE).where('position', '=', 201)),
  );
  expect((await verifyFeed(queries, ONE, { clock: systemClock })).problem).toBe(
    'event 202 follows event 200: events are missing in between',
  );
});

test('a store of a newer version and a store of another program are reported', async () => {
  await change((db) => db.insertInto('schema_migrations').values({ name: '9999-later', applied_at: 1 }));
  expect((await verifyStore(store.url)).problems).toEqual([
    'it was migrated by a newer version of the service (9999-later)',
  ]);
  await store.database.transaction((tx) => tx.db.schema.dropTable('schema_migrations').execute());
  expect((await verifyStore(store.url)).problems).toEqual(['it is not a store of this service']);
});
