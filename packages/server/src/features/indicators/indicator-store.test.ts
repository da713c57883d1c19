import { createHash } from 'node:crypto';
import type { Indicator, IndicatorKey } from '@tps/detection/indicators';
import { useTestDatabase } from '@tps/testing/store';
import { expect, test } from 'vitest';
import { NO_TENANT, type TenantId } from '../../platform/tenant-id.ts';
import { toKeyedIndicators } from './indicator-import.ts';
import { beginImport, countImport, emptySource, newSource } from './indicator-source.ts';
import * as indicatorSourceStore from './indicator-source-store.ts';
import type { Owner } from './indicator-store.ts';
import * as indicatorStore from './indicator-store.ts';

const NOW_MS = Date.UTC(2026, 2, 2);
let tenants = 0;

const store = useTestDatabase();

function nextTenant(): TenantId {
  tenants += 1;
  return `tnt_${tenants}` as TenantId;
}

function domain(value: string, members: Partial<Indicator> = {}): Indicator {
  return {
    type: 'domain',
    value,
    source: 'feed',
    category: 'phishing',
    threatType: 'known_indicator',
    confidence: 0.9,
    ...members,
  };
}

const keyOf = (type: IndicatorKey['type'], value: string): IndicatorKey => ({
  type,
  digest: createHash('sha256').update(value).digest('hex'),
});

async function put(owner: Owner, indicators: readonly Indicator[]): Promise<void> {
  await store.database.transaction(async (tx) => {
    for (const source of new Set(indicators.map((one) => one.source))) {
      const named = indicators.filter((one) => one.source === source);
      const counts = { added: named.length, updated: 0, unchanged: 0, repeated: 0 };
      const before = await indicatorSourceStore.find(tx, owner, source);
      const begun = beginImport(before ?? newSource(source, NOW_MS), 'imp_x');
      const { record } = countImport(begun, counts, { isReplaced: false, nowMs: NOW_MS });
      await indicatorSourceStore.save(tx, owner, record);
      await indicatorStore.save(tx, owner, {
        indicators: new Map(named.map((one) => [keyOf(one.type, one.value), one])),
        importNumber: record.importNumber,
      });
    }
  });
}

async function match(tenantId: TenantId, keys: IndicatorKey[], nowMs = NOW_MS): Promise<Indicator[]> {
  const matches = await indicatorStore.findMatches(store.database.read, tenantId, keys, nowMs);
  return matches.map(({ indicator }) => indicator);
}

test("a lookup finds a tenant's own and global indicators, never those of another tenant", async () => {
  const [tenantId, other] = [nextTenant(), nextTenant()];
  const full = domain('own.example', {
    confidence: 0.123456789,
    label: 'Ärger 🎣',
    dualUse: true,
    validFromMs: NOW_MS - 1,
    validUntilMs: NOW_MS + 1,
  });
  const global = domain(`of-all-${tenantId}.example`);
  await put(tenantId, [full]);
  await put(other, [domain('theirs.example')]);
  await put(NO_TENANT, [global]);
  const keys = [full.value, 'theirs.example', global.value, 'unknown.example'].map((v) => keyOf('domain', v));
  expect(await match(tenantId, keys)).toEqual(expect.arrayContaining([full, global]));
  expect(await match(tenantId, keys)).toHaveLength(2);
  expect(await match(other, keys)).toHaveLength(2);
});

test('a key matches only its own type, and every source that has it', async () => {
  const tenantId = nextTenant();
  await put(tenantId, [domain('a.example'), domain('a.example', { source: 'second', confidence: 0.4 })]);
  expect(await match(tenantId, [keyOf('url', 'a.example')])).toEqual([]);
  const found = await match(tenantId, [keyOf('domain', 'a.example'), keyOf('url', 'a.example')]);
  expect(found.map(({ source }) => source).sort()).toEqual(['feed', 'second']);
});

test('an indicator is valid from valid_from until just before valid_until', async () => {
  const tenantId = nextTenant();
  await put(tenantId, [domain('a.example', { validFromMs: NOW_MS, validUntilMs: NOW_MS + 10 })]);
  const at = (ms: number) => match(tenantId, [keyOf('domain', 'a.example')], ms);
  expect(await at(NOW_MS - 1)).toHaveLength(0);
  expect(await at(NOW_MS)).toHaveLength(1);
  expect(await at(NOW_MS + 9)).toHaveLength(1);
  expect(await at(NOW_MS + 10)).toHaveLength(0);
});

test('thousands of keys can be looked up, and each indicator is found once', async () => {
  const tenantId = nextTenant();
  const values = Array.from({ length: 1700 }, (_, at) => `n${at}.example`);
  await put(
    tenantId,
    values.map((value) => domain(value)),
  );
  const keys = [...values, ...values, 'not.example'].map((value) => keyOf('domain', value));
  expect(await match(tenantId, keys)).toHaveLength(1700);
  expect(await match(tenantId, [])).toEqual([]);
});

test('parsing and storing a thousand indicators yields to other work', async () => {
  const tenantId = nextTenant();
  const values = Array.from({ length: 1000 }, (_, at) => domain(`n${at}.example`));
  expect(await turnsDuring(() => put(tenantId, values))).toBeGreaterThan(3);
  const long = { type: 'url', category: 'phishing', threat_type: 'malware', confidence: 0.9 } as const;
  const wanted = Array.from({ length: 150 }, (_, at) => ({
    ...long,
    value: `a.example/${'ä/'.repeat(2000)}${at}`,
  }));
  expect(await turnsDuring(() => toKeyedIndicators('feed', wanted))).toBeGreaterThan(0);
});

async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test('replaced and removed indicators stop matching at once, and a purge deletes their rows', async () => {
  const tenantId = nextTenant();
  const other = domain('other.example', { source: 'other' });
  const old = Array.from({ length: 25 }, (_, at) => domain(`old${at}.example`));
  await put(tenantId, [...old, other]);
  await put(tenantId, [domain('new.example')]);
  const key = (value: string) => keyOf('domain', value);
  const keys = [...old.map(({ value }) => key(value)), key('new.example'), key('other.example')];
  expect(await match(tenantId, keys)).toHaveLength(27);

  await store.database.transaction(async (tx) => {
    const record = await indicatorSourceStore.find(tx, tenantId, 'feed');
    if (!record) throw new Error('the source is gone');
    const counts = { added: 0, updated: 0, unchanged: 0, repeated: 0 };
    const replaced = countImport(record, counts, { isReplaced: true, nowMs: NOW_MS });
    expect(replaced.removed).toBe(25);
    await indicatorSourceStore.save(tx, tenantId, replaced.record);
  });
  expect((await match(tenantId, keys)).map(({ value }) => value).sort()).toEqual([
    'new.example',
    'other.example',
  ]);

  expect(await countRows(tenantId)).toBe(27);
  let after: indicatorStore.StoredIndicatorKey | undefined;
  do {
    const range = { source: 'feed', before: 2, after, limit: 10 };
    after = await store.database.transaction((tx) => indicatorStore.purgeSome(tx, tenantId, range));
  } while (after);
  expect(await countRows(tenantId)).toBe(2);

  await store.database.transaction(async (tx) => {
    const record = await indicatorSourceStore.find(tx, tenantId, 'feed');
    if (record) await indicatorSourceStore.save(tx, tenantId, emptySource(record, NOW_MS));
  });
  expect((await match(tenantId, keys)).map(({ value }) => value)).toEqual(['other.example']);
});

async function countRows(tenantId: TenantId): Promise<number> {
  const rows = await store.database.read.db
    .selectFrom('indicators')
    .select('digest')
    .where('tenant_id', '=', tenantId)
    .execute();
  return rows.length;
}
