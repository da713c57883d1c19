import { randomBytes } from 'node:crypto';
import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { DAY_MS, HOUR_MS } from './statistics-hour.ts';
import * as statisticsStore from './statistics-store.ts';

const SINCE_MS = Date.UTC(2026, 4, 14);
const SUMS = [['verdict_warn'], ['verdict_allow', 'verdict_warn', 'verdict_block'], ['verdict_allow']];

const store = useTestDatabase();

async function count(tenantId: TenantId, verdicts: readonly (readonly [number, object])[]): Promise<void> {
  const added = verdicts.map(([atMs, counts]) => ({ tenantId, atMs, counts }));
  await store.database.transaction((tx) => statisticsStore.add(tx, 'scan_statistics', added));
}

test('sums are listed by bucket, oldest first, in the order in which they were asked for', async () => {
  const [tenantId, other] = [createTenant(), createTenant()];
  await count(tenantId, [
    [SINCE_MS - 1, { verdict_warn: 100 }],
    [SINCE_MS, { verdict_warn: 1, verdict_allow: 10 }],
    [SINCE_MS + DAY_MS - HOUR_MS, { verdict_warn: 2 }],
    [SINCE_MS + 11 * DAY_MS, { verdict_block: Number.MAX_SAFE_INTEGER }],
    [SINCE_MS + 12 * DAY_MS, { verdict_warn: 100 }],
  ]);
  await count(other, [[SINCE_MS, { verdict_warn: 100 }]]);
  expect(await list(tenantId, { sinceMs: SINCE_MS, untilMs: SINCE_MS + 12 * DAY_MS })).toEqual([
    { startMs: SINCE_MS, sums: [3, 13, 10] },
    { startMs: SINCE_MS + 11 * DAY_MS, sums: [0, Number.MAX_SAFE_INTEGER, 0] },
  ]);
});

test.each([0, -DAY_MS])('a range that ends %d ms after it begins has no buckets', async (lengthMs) => {
  const tenantId = createTenant();
  await count(tenantId, [[SINCE_MS, { verdict_warn: 1 }]]);
  expect(await list(tenantId, { sinceMs: SINCE_MS, untilMs: SINCE_MS + lengthMs })).toEqual([]);
});

function createTenant(): TenantId {
  return `tnt_${randomBytes(8).toString('hex')}` as TenantId;
}

function list(tenantId: TenantId, range: statisticsStore.StatisticsRange) {
  const query = { tenantId, sums: SUMS, bucketMs: DAY_MS, ...range };
  return statisticsStore.listSums(store.database.read, 'scan_statistics', query);
}
