import { randomBytes } from 'node:crypto';
import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { anonymiseStatistics, statisticsCutoff } from './anonymise-statistics.ts';
import * as serviceStatisticsStore from './service-statistics-store.ts';
import * as statisticsStore from './statistics-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2028, 4, 15, 12);
const OLD_MS = Date.UTC(2026, 4, 14);

const store = useTestDatabase();

const createTenant = () => `tnt_${randomBytes(8).toString('hex')}` as TenantId;

async function count(tenantId: TenantId, atMs: number): Promise<void> {
  await store.database.transaction(async (tx) => {
    const counts = { category_phishing: 2, action_warn: 2, devices: 2, devices_of_day: 1 };
    await statisticsStore.add(tx, 'event_statistics', [{ tenantId, atMs, counts }]);
    await statisticsStore.add(tx, 'scan_statistics', [{ tenantId, atMs, counts: { verdict_allow: 1 } }]);
  });
}

async function hoursOf(tenantId: TenantId): Promise<number[]> {
  const rows = await store.database.read.db
    .selectFrom('event_statistics')
    .select('hour')
    .where('tenant_id', '=', tenantId)
    .orderBy('hour')
    .execute();
  return rows.map(({ hour }) => hour);
}

test('statistics older than 24 months become day counts of the whole service, once', async () => {
  const [one, other] = [createTenant(), createTenant()];
  for (const tenantId of [one, other]) {
    await count(tenantId, OLD_MS);
    await count(tenantId, OLD_MS + 5 * HOUR_MS);
    await count(tenantId, OLD_MS + DAY_MS);
  }
  expect(statisticsCutoff(NOW_MS)).toBe(OLD_MS + DAY_MS);
  const anonymise = (tenantId: TenantId) => anonymiseStatistics(store.database, tenantId, { nowMs: NOW_MS });
  await Promise.all([anonymise(one), anonymise(other), anonymise(one)]);
  await anonymise(other);
  expect(await hoursOf(one)).toEqual([OLD_MS + DAY_MS]);
  expect(await hoursOf(other)).toEqual([OLD_MS + DAY_MS]);
  expect(await serviceStatisticsStore.list(store.database.read)).toEqual(
    [
      ['event.action_warn', 8],
      ['event.category_phishing', 8],
      ['event.devices_of_day', 4],
      ['scan.verdict_allow', 4],
    ].map(([name, sum]) => ({ dayMs: OLD_MS, name, count: sum })),
  );
});
