import { createHash, randomBytes } from 'node:crypto';
import type { IndicatorKeys } from '@tps/contract';
import { BundleError, type IndicatorBundle, openBundle } from '@tps/detection/indicators';
import { type TestAnswer, type TestTenant, useTestService } from '@tps/testing/service';
import { openTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { SecretBox } from '../../../platform/crypto/secret-box.ts';
import { NO_TENANT } from '../../../platform/tenant-id.ts';
import { COMMAND_LINE } from '../../audit/index.ts';
import { toKeyedIndicators } from '../indicator-import.ts';
import { IndicatorService } from '../indicator-service.ts';
import * as indicatorSourceStore from '../indicator-source-store.ts';
import { BundleKey, checkBundleKey, renewBundleKey, rewrapBundleKey } from './bundle-key.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(Date.now());
const masterKey = () => new Secret(randomBytes(32));
const service = useTestService({
  env: { SERVICE_SECRET_KEY_B64: randomBytes(32).toString('base64') },
  clock,
});

const sample = { type: 'domain', category: 'phishing', threat_type: 'known_indicator', confidence: 0.9 };

async function put({ credential }: TestTenant, indicators: object[], source = 'feed'): Promise<void> {
  const answer = await service.client.send('POST', '/indicators', {
    credential,
    body: { source, indicators },
  });
  expect(answer.status, answer.text).toBe(200);
}

async function putForAll(value: string): Promise<void> {
  const globals = new IndicatorService({ clock });
  const indicators = await toKeyedIndicators('shared', [{ ...sample, value }] as never);
  const change = { owner: NO_TENANT, source: 'shared', actor: COMMAND_LINE, requestId: null } as const;
  await service.service.database.transaction((tx) =>
    globals.import(tx, change, { replace: true, indicators }),
  );
}

function fetchBundle({ credential }: TestTenant, tag?: string): Promise<TestAnswer> {
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  return service.client.send('GET', '/indicators/bundle', { credential, headers });
}

const tagOf = (answer: TestAnswer) => answer.headers.get('etag') ?? '';

async function trustedKeys({ credential }: TestTenant) {
  const answer = await service.client.send('GET', '/indicators/keys', { credential });
  return (answer.body as IndicatorKeys).keys.map(({ public_key_b64: key }) => key);
}

async function open(tenant: TestTenant, answer?: TestAnswer): Promise<IndicatorBundle> {
  return openBundle((answer ?? (await fetchBundle(tenant))).body, {
    publicKeys: await trustedKeys(tenant),
    tenantId: tenant.tenantId,
    notOlderThanVersion: 0,
    nowMs: clock.now(),
  });
}

const valuesOf = async (tenant: TestTenant) =>
  (await open(tenant)).indicators.map(({ value }) => value).sort();

test("a bundle contains the tenant's own and global indicators, and is valid for no other tenant", async () => {
  const [mine, theirs] = [await service.createTenant(), await service.createTenant()];
  await putForAll('all.example');
  await put(mine, [{ ...sample, value: 'mine.example', label: 'Ärger', dual_use: true }]);

  const bundle = await open(mine);
  expect(bundle.indicators).toContainEqual({
    type: 'domain',
    value: 'mine.example',
    source: 'feed',
    category: 'phishing',
    threatType: 'known_indicator',
    confidence: 0.9,
    label: 'Ärger',
    dualUse: true,
  });
  expect(await valuesOf(mine)).toEqual(['all.example', 'mine.example']);
  expect(await valuesOf(theirs)).toEqual(['all.example']);
  expect(bundle.expiresAtMs - clock.now()).toBeGreaterThan(20 * DAY_MS);
  const foreign = fetchBundle(theirs).then((answer) => open(mine, answer));
  await expect(foreign).rejects.toThrow(BundleError);
});

test('an unchanged bundle is answered with 304 until it is signed again', async () => {
  const [tenant, other] = [await service.createTenant(), await service.createTenant()];
  await put(tenant, [{ ...sample, value: 'a.example' }]);
  const first = await fetchBundle(tenant);
  const isSame = async () => (await fetchBundle(tenant, `"x", ${tagOf(first)}`)).status === 304;
  expect([first.status, await isSame()]).toEqual([200, true]);
  await put(other, [{ ...sample, value: 'a.example' }]);
  await put(tenant, [{ ...sample, value: 'a.example' }]);
  expect(await isSame()).toBe(true);

  await put(tenant, [{ ...sample, value: 'b.example' }]);
  const second = await fetchBundle(tenant, tagOf(first));
  expect(second.status).toBe(200);
  const [before, after] = [await open(tenant, first), await open(tenant, second)];
  expect(after.version).toBeGreaterThan(before.version);

  await putForAll('other.example');
  expect((await fetchBundle(tenant, tagOf(second))).status).toBe(200);
  await putForAll('all.example');

  // A device that polls regularly never has a bundle that is about to expire.
  clock.advance(8 * DAY_MS);
  const third = await fetchBundle(tenant, tagOf(second));
  expect(third.status).toBe(200);
  expect((await open(tenant, third)).expiresAtMs).toBeGreaterThan(after.expiresAtMs);
});

test('a change after a restored backup has a higher version than all before it', async () => {
  const tenant = await service.createTenant();
  const { database } = service.service;
  const { tenantId: tenant_id } = tenant;
  for (const value of ['a.example', 'b.example', 'c.example']) await put(tenant, [{ ...sample, value }]);
  const { version } = await open(tenant);
  await database.transaction((tx) =>
    tx.updateMany('indicator_heads', ['tenant_id'], [{ tenant_id, version: 1 }]),
  );
  clock.advance(1000);
  await put(tenant, [{ ...sample, value: 'd.example' }]);
  expect((await open(tenant)).version).toBeGreaterThan(version);
});

test('a bundle omits removed, replaced and expired indicators', async () => {
  const tenant = await service.createTenant();
  const until = (ms: number) => new Date(clock.now() + ms).toISOString();
  await put(tenant, [{ ...sample, value: 'brief.example', valid_until: until(1000) }]);
  await put(tenant, [{ ...sample, value: 'gone.example' }], 'other');
  const values = async () => (await valuesOf(tenant)).filter((value) => value !== 'all.example');
  expect(await values()).toEqual(['brief.example', 'gone.example']);
  clock.advance(1000);
  const { credential } = tenant;
  await service.client.send('DELETE', '/indicators?source=other', { credential });
  expect(await values()).toEqual([]);
  await put(tenant, [{ ...sample, value: 'revoked.example' }]);
  await put(tenant, [{ ...sample, value: 'revoked.example', valid_until: until(-1000) }]);
  expect(await values()).toEqual([]);
});

test('other requests are answered while a large bundle is signed in a worker thread', async () => {
  const tenant = await service.createTenant();
  const { database } = service.service;
  const values = Array.from({ length: 5000 }, (_, at) => `n${at}.example`);
  await database.transaction(async (tx) => {
    const { tenantId: tenant_id } = tenant;
    await indicatorSourceStore.lockHead(tx, tenant_id);
    await indicatorSourceStore.saveHead(tx, tenant_id, { version: 1, indicators: values.length });
    await tx.insertMany('indicator_sources', [
      {
        tenant_id,
        source: 'feed',
        import_id: null,
        import_number: 1,
        kept_since: 1,
        swept_before: 1,
        imported: 0,
        indicators: values.length,
        updated_at: clock.now(),
      },
    ]);
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
  let isBuilding = true;
  const fetched = Promise.all([fetchBundle(tenant), fetchBundle(tenant)]);
  const built = fetched.finally(() => {
    isBuilding = false;
  });
  let answered = 0;
  while (isBuilding) {
    await service.client.send('GET', '/healthz');
    answered += 1;
  }
  expect(answered).toBeGreaterThan(3);
  const answers = await built;
  expect(answers[0]?.text).toBe(answers[1]?.text);
  const signed = (await open(tenant, answers[0])).indicators.filter(({ source }) => source === 'feed');
  expect(signed).toHaveLength(5000);
});

test('all nodes and starts with one master key share one sealed signing key', async () => {
  const store = await openTestDatabase();
  onTestFinished(() => store.drop());
  const { database } = store;
  const [first, second] = [masterKey(), masterKey()];
  const keyWith = (secrets: SecretBox) => new BundleKey({ database, secrets }).get();
  const box = new SecretBox({ masterKey: first });
  const [one, other] = await Promise.all([keyWith(box), keyWith(new SecretBox({ masterKey: first }))]);
  expect(other.keyid).toBe(one.keyid);
  expect((await keyWith(box)).publicKeyB64).toBe(one.publicKeyB64);
  const stored = JSON.stringify(await database.read.db.selectFrom('service_settings').selectAll().execute());
  const der = one.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
  expect(stored).not.toContain(der.toString('base64').slice(0, 40));
  expect(stored).toContain('indicator_bundle_key');

  // Sealing it under a new master key does not change the key.
  const both = new SecretBox({ masterKey: second, previousKey: first });
  expect(await rewrapBundleKey({ database, secrets: both })).toEqual({ rewrapped: 1, unreadable: 0 });
  expect(await rewrapBundleKey({ database, secrets: both })).toEqual({ rewrapped: 0, unreadable: 0 });
  const now = new SecretBox({ masterKey: second });
  expect((await keyWith(now)).keyid).toBe(one.keyid);
  await checkBundleKey({ database, secrets: now });

  await expect(checkBundleKey({ database, secrets: box })).rejects.toThrow('renew-key');
  await expect(keyWith(box)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await rewrapBundleKey({ database, secrets: box })).toEqual({ rewrapped: 0, unreadable: 1 });
  const renewed = await renewBundleKey({ database, secrets: box, clock });
  expect(renewed).not.toBe(one.keyid);
  expect((await keyWith(box)).keyid).toBe(renewed);
});

test('without a master key, the signing key stays in memory and is not stored', async () => {
  const store = await openTestDatabase();
  onTestFinished(() => store.drop());
  const { database } = store;
  const secrets = new SecretBox({ masterKey: undefined });
  const key = new BundleKey({ database, secrets });
  expect((await key.get()).keyid).toBe((await key.get()).keyid);
  const other = await new BundleKey({ database, secrets }).get();
  expect(other.keyid).not.toBe((await key.get()).keyid);
  const stored = await database.read.db.selectFrom('service_settings').select('name').execute();
  expect(stored.map(({ name }) => name)).not.toContain('indicator_bundle_key');
  await expect(renewBundleKey({ database, secrets, clock })).rejects.toThrow('SERVICE_SECRET_KEY_B64');
});
