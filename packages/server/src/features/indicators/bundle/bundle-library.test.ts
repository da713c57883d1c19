import { createHash } from 'node:crypto';
import { openBundle } from '@tps/detection/indicators';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, expect, test } from 'vitest';
import type { ReadQueries } from '../../../database/index.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { COMMAND_LINE } from '../../audit/index.ts';
import { IndicatorService } from '../indicator-service.ts';
import * as indicatorSourceStore from '../indicator-source-store.ts';
import { BundleKey } from './bundle-key.ts';
import { BundleLibrary } from './bundle-library.ts';

const clock = new ManualClock(Date.UTC(2026, 2, 2));
let bundleKey: BundleKey;
let tenants = 0;

const store = useTestDatabase();

beforeAll(async () => {
  bundleKey = new BundleKey({ database: store.database, secrets: new SecretBox({ masterKey: undefined }) });
});

/** Creates a tenant with this many domains of one source. */
async function createTenant(size: number): Promise<TenantId> {
  tenants += 1;
  const tenant_id = `tnt_${tenants}` as TenantId;
  await store.database.transaction(async (tx) => {
    await indicatorSourceStore.lockHead(tx, tenant_id);
    await indicatorSourceStore.saveHead(tx, tenant_id, { version: 1, indicators: size });
    await tx.insertMany('indicator_sources', [
      {
        tenant_id,
        source: 'feed',
        import_id: null,
        import_number: 1,
        kept_since: 1,
        swept_before: 1,
        imported: size,
        indicators: size,
        updated_at: clock.now(),
      },
    ]);
    const values = Array.from({ length: size }, (_, at) => `n${at}.example`);
    await tx.insertMany(
      'indicators',
      values.map((value) => ({
        tenant_id,
        source: 'feed',
        type: 'domain',
        value,
        category: 'phishing',
        digest: createHash('sha256').update(value).digest(),
        threat_type: 'known_indicator',
        confidence: 1,
        label: null,
        dual_use: 0,
        valid_from: null,
        valid_until: null,
        import_number: 1,
      })),
    );
  });
  return tenant_id;
}

async function open(tenantId: TenantId, json = '') {
  const publicKeys = [(await bundleKey.get()).publicKeyB64];
  return openBundle(JSON.parse(json), { publicKeys, tenantId, notOlderThanVersion: 0, nowMs: clock.now() });
}

test('the tag of a bundle is known without building it', async () => {
  const { database } = store;
  const tenantId = await createTenant(3);
  const key = await bundleKey.get();
  const unusable = {
    keyid: key.keyid,
    publicKeyB64: key.publicKeyB64,
    get privateKey(): never {
      throw new Error('the bundle was signed');
    },
  };
  const library = new BundleLibrary({ database, clock, bundleKey: { get: async () => unusable } });
  const { etag } = await new BundleLibrary({ database, clock, bundleKey }).get(tenantId);
  expect(await library.getTag(tenantId)).toBe(etag);
  await expect(library.get(tenantId)).rejects.toThrow('signed');
});

test('a bundle is cached if it fits, and built again otherwise', async () => {
  const { database } = store;
  const tenantId = await createTenant(3);
  const isCached = async (library: BundleLibrary) => {
    const first = await library.get(tenantId);
    clock.advance(1);
    return (await library.get(tenantId)).json === first.json;
  };
  expect(await isCached(new BundleLibrary({ database, clock, bundleKey }))).toBe(true);
  expect(await isCached(new BundleLibrary({ database, clock, bundleKey, maxCachedCharacters: 10 }))).toBe(
    false,
  );
});

test('a full cache evicts the least recently used bundle', async () => {
  const { database } = store;
  const [one, two, three] = [await createTenant(1), await createTenant(1), await createTenant(1)];
  const { json = '' } = await new BundleLibrary({ database, clock, bundleKey }).get(one);
  const maxCachedCharacters = Math.floor(json.length * 2.5);
  const library = new BundleLibrary({ database, clock, bundleKey, maxCachedCharacters });
  const jsonOf = async (tenantId: TenantId) => (await library.get(tenantId)).json;
  const [first, second] = [await jsonOf(one), await jsonOf(two)];
  clock.advance(1);
  await jsonOf(one);
  await jsonOf(three);
  expect(await jsonOf(one)).toBe(first);
  expect(await jsonOf(two)).not.toBe(second);
});

test('changes during a build share the next build, so that a tenant cannot delay the others', async () => {
  const { database } = store;
  // Takes longer to build than the changes below.
  const tenantId = await createTenant(20_000);
  const { privateKey, ...key } = await bundleKey.get();
  let builds = 0;
  const counted = {
    ...key,
    get privateKey() {
      builds += 1;
      return privateKey;
    },
  };
  const library = new BundleLibrary({ database, clock, bundleKey: { get: async () => counted } });
  const requests = [library.get(tenantId)];
  for (let version = 2; version <= 12; version += 1) {
    await database.transaction((tx) =>
      indicatorSourceStore.saveHead(tx, tenantId, { version, indicators: 20_000 }),
    );
    requests.push(library.get(tenantId));
    // The request has read its version.
    await library.getTag(tenantId);
  }
  const bundles = await Promise.all(requests);
  expect(await open(tenantId, bundles.at(-1)?.json)).toMatchObject({ version: 12 });
  // The one under way, which is built up to three times because of the changes, and the next one.
  expect(builds).toBeLessThanOrEqual(6);
});

test('a bundle signed by another key has another tag', async () => {
  const { database } = store;
  const tenantId = await createTenant(1);
  const otherKey = new BundleKey({ database, secrets: new SecretBox({ masterKey: undefined }) });
  const { etag } = await new BundleLibrary({ database, clock, bundleKey }).get(tenantId);
  const { etag: other } = await new BundleLibrary({ database, clock, bundleKey: otherKey }).get(tenantId);
  expect(other).not.toBe(etag);
});

/** Returns the store, and calls a function at each read of indicators. */
function watched(onRead: (read: number) => void): { read: ReadQueries } {
  const { read } = store.database;
  let reads = 0;
  const selectFrom = ((table: never) => {
    if (String(table).startsWith('indicators ')) onRead(++reads);
    return read.db.selectFrom(table);
  }) as ReadQueries['db']['selectFrom'];
  const db = new Proxy(read.db, {
    get: (target, name) => (name === 'selectFrom' ? selectFrom : Reflect.get(target, name)),
  });
  return { read: { ...read, db } };
}

test('a source removed during the build is in the bundle completely or not at all', async () => {
  const tenantId = await createTenant(3000);
  const service = new IndicatorService({ clock });
  const change = { owner: tenantId, source: 'feed', actor: COMMAND_LINE, requestId: null };
  let removal: Promise<unknown> | undefined;
  const database = watched((read) => {
    if (read === 2) removal = store.database.transaction((tx) => service.removeSource(tx, change));
  });
  const { json } = await new BundleLibrary({ database, clock, bundleKey }).get(tenantId);
  expect(removal).toBeDefined();
  await removal;
  expect([0, 3000]).toContain((await open(tenantId, json)).indicators.length);
});

test('a build yields to other work between reads of 1000 rows', async () => {
  const tenantId = await createTenant(3000);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turnsAt: number[] = [];
  const database = watched(() => turnsAt.push(turns));
  await new BundleLibrary({ database, clock, bundleKey }).get(tenantId);
  isOver = true;
  expect(turnsAt.length).toBeGreaterThan(3);
  expect(new Set(turnsAt).size).toBe(turnsAt.length);
});
