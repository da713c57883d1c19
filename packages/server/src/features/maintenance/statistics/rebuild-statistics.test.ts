import { repetitions } from '@tps/testing/soak';
import { useTestDatabase } from '@tps/testing/store';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { COMMAND_LINE } from '../../audit/index.ts';
import { LiveFeed } from '../../events/derive/testing/live-feed.ts';
import { randomFeed, type Step } from '../../events/derive/testing/random-feed.ts';
import { rebuildStatistics } from './rebuild-statistics.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RUNS = repetitions({ short: 4, soak: process.env.TEST_STORE === 'postgres' ? 5 : 12 });
const config = { eventDays: 3650, derivedDays: 3650, jobDays: 3650, auditDays: 3650 };
const TABLES = ['event_statistics', 'incident_statistics'] as const;

const store = useTestDatabase();

/** The counts of a tenant by hour, without those that are 0. */
async function readCounts(tenantId: TenantId): Promise<Record<string, object>> {
  const counts: Record<string, object> = {};
  for (const table of TABLES) {
    const { rows } = await sql<Record<string, string | number>>`
      select * from ${sql.table(table)} where tenant_id = ${tenantId} order by hour`.execute(
      store.database.read.db,
    );
    for (const { tenant_id: _, hour, ...columns } of rows) {
      const set = Object.entries(columns).filter(([, count]) => count !== 0);
      if (set.length > 0)
        counts[`${table} ${new Date(Number(hour)).toISOString()}`] = Object.fromEntries(set);
    }
  }
  return counts;
}

function rebuild({ tenantId, clock }: LiveFeed) {
  return rebuildStatistics(tenantId, { database: store.database, clock, config, actor: COMMAND_LINE });
}

async function forget(tenantId: TenantId): Promise<void> {
  await store.database.transaction(async (tx) => {
    for (const table of TABLES) await tx.db.deleteFrom(table).where('tenant_id', '=', tenantId).execute();
    // As after an older version, which sets no such times.
    await tx.db
      .updateTable('incidents')
      .set({ acknowledged_at: null, first_resolved_at: null })
      .where('tenant_id', '=', tenantId)
      .execute();
    await tx.db
      .updateTable('device_states')
      .set({ last_event_at: null })
      .where('tenant_id', '=', tenantId)
      .execute();
  });
}

async function expectSameCounts(
  before: readonly Step[],
  after: readonly Step[],
  tickMs: number,
): Promise<void> {
  const feed = new LiveFeed(store.database, { tickMs });
  await feed.play(before);
  const counted = await readCounts(feed.tenantId);
  await forget(feed.tenantId);
  await rebuild(feed);
  expect(await readCounts(feed.tenantId)).toEqual(counted);

  // What is counted afterwards continues from what was rebuilt.
  await feed.play(after);
  const continued = await readCounts(feed.tenantId);
  await rebuild(feed);
  expect(await readCounts(feed.tenantId)).toEqual(continued);
}

test('a rebuild gives the counts that were written during the history', async () => {
  const ticks = fc.constantFrom(7 * 60_000, HOUR_MS, 5 * HOUR_MS);
  await fc.assert(fc.asyncProperty(randomFeed, randomFeed, ticks, expectSameCounts), { numRuns: RUNS });
});

test('a rebuild leaves the counts of days whose events were purged', async () => {
  const feed = new LiveFeed(store.database, { tickMs: DAY_MS });
  const [step] = fc.sample(randomFeed, 1)[0]?.filter(({ kind }) => kind === 'event') ?? [];
  const event = { ...step, corrects: null, endsTransaction: true } as Step;
  await feed.play([event, event, event]);
  const counted = await readCounts(feed.tenantId);
  expect(Object.keys(counted).filter((key) => key.startsWith('event'))).toHaveLength(3);
  await store.database.transaction((tx) =>
    tx.db.deleteFrom('events').where('tenant_id', '=', feed.tenantId).where('position', '<=', 1).execute(),
  );
  await rebuild(feed);
  expect(await readCounts(feed.tenantId)).toEqual(counted);
});
