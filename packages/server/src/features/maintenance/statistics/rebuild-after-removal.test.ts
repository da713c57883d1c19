import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { COMMAND_LINE } from '../../audit/index.ts';
import { deviceStore } from '../../devices/index.ts';
import { LiveFeed } from '../../events/derive/testing/live-feed.ts';
import type { Step } from '../../events/derive/testing/random-feed.ts';
import {
  anonymiseStatistics,
  STATISTICS_COLUMNS,
  serviceStatisticsStore,
  statisticsStore,
} from '../../statistics/index.ts';
import { purgeExpiredData } from '../retention/purge-expired-data.ts';
import { rebuildStatistics } from './rebuild-statistics.ts';

const DAY_MS = 86_400_000;
const LONG = { eventDays: 3650, derivedDays: 3650, jobDays: 3650, auditDays: 3650 };
const EVENT: Step = {
  kind: 'event',
  event: {
    type: 'risk.event.created',
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'high',
    indicators: ['sig:a'],
  },
  device: 0,
  agoMs: 0,
  corrects: null,
  endsTransaction: true,
};

const store = useTestDatabase();

async function startFeed(): Promise<LiveFeed> {
  const feed = new LiveFeed(store.database, { tickMs: DAY_MS });
  await feed.play([EVENT, EVENT, { kind: 'resolve', incident: 0, resolution: 'true_positive' }, EVENT]);
  return feed;
}

const partsOf = ({ clock }: LiveFeed) => ({
  database: store.database,
  clock,
  config: LONG,
  actor: COMMAND_LINE,
});

async function readCounts({ tenantId }: LiveFeed) {
  const query = { tenantId, bucketMs: DAY_MS, sinceMs: Date.UTC(2025, 0), untilMs: Date.UTC(2032, 0) };
  const { read } = store.database;
  const { event_statistics: ofEvents, incident_statistics: ofIncidents } = STATISTICS_COLUMNS;
  return [
    await statisticsStore.listSums(read, 'event_statistics', {
      ...query,
      sums: ofEvents.map((column) => [column]),
    }),
    await statisticsStore.listSums(read, 'incident_statistics', {
      ...query,
      sums: ofIncidents.map((column) => [column]),
    }),
  ];
}

test('a rebuild leaves out the days whose counts were anonymised, though their events are stored', async () => {
  const feed = await startFeed();
  feed.clock.advance(3 * 365 * DAY_MS);
  const anonymise = () => anonymiseStatistics(store.database, feed.tenantId, { nowMs: feed.clock.now() });
  await anonymise();
  const counts = await serviceStatisticsStore.list(store.database.read);
  expect(counts).toContainEqual(expect.objectContaining({ name: 'event.category_phishing', count: 1 }));

  await rebuildStatistics(feed.tenantId, partsOf(feed));
  expect(await readCounts(feed)).toEqual([[], []]);
  await anonymise();
  expect(await serviceStatisticsStore.list(store.database.read)).toEqual(counts);
});

test('a rebuild keeps the counts of what was purged while the retention was shorter', async () => {
  const feed = await startFeed();
  feed.clock.advance(40 * DAY_MS);
  const counted = await readCounts(feed);
  const short = { ...LONG, derivedDays: 30 };
  const purged = await purgeExpiredData({
    ...{ ...partsOf(feed), config: short },
    tenantId: feed.tenantId,
    dryRun: false,
  });
  expect(purged.find(({ dataClass }) => dataClass === 'derived')?.rows).toMatchObject({ incidents: 1 });
  await rebuildStatistics(feed.tenantId, partsOf(feed));
  expect(await readCounts(feed)).toEqual(counted);
});

test('the arrivals of last events in a range are replaced, except of devices with a later one', async () => {
  const feed = await startFeed();
  const read = () =>
    store.database.read.db
      .selectFrom('device_states')
      .select(['device_id', 'last_event_at'])
      .where('tenant_id', '=', feed.tenantId)
      .execute();
  const before = await read();
  const [{ device_id: deviceId, last_event_at: lastMs } = { device_id: '', last_event_at: null }] = before;
  const replace = (untilMs: number) =>
    store.database.transaction((tx) =>
      deviceStore.replaceLastEvents(tx, feed.tenantId, {
        sinceMs: 0,
        untilMs,
        lastEventAtMs: new Map([[deviceId, 1]]),
      }),
    );
  await replace(lastMs ?? 0);
  expect(await read()).toEqual(before);
  await replace((lastMs ?? 0) + 1);
  expect(await read()).toEqual([{ device_id: deviceId, last_event_at: 1 }]);
});
