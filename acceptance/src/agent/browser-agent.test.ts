import type { AgentHealth, RecordResult, ScanResult, StoredRecord } from '@tps/agent';
import { useChromium } from '@tps/testing/browser';
import { createTestEnrolment } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { type TestTenant, useTestService } from '@tps/testing/service';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { AGENT, bundleForBrowser, serveBundle } from './bundle-server.ts';

const PAGE = `import '${AGENT}/browser/testing/page.ts';`;
const DATABASE = 'tps-agent';
const CANARY = 'kanarie7f3d9b';
const DETECTION = {
  threatCategory: 'phishing',
  confidence: 0.97,
  description: `A message of ${CANARY}@example.com asks for a card number`,
  indicators: [`https://${CANARY}.example/confirm`],
};

const chromium = useChromium();
const web = useFixture(async () => serveBundle(await bundleForBrowser(PAGE, { ignoreAnnotations: true })), {
  close: ({ close }) => close(),
});
const service = useTestService(() => ({ env: { SERVICE_CORS_ORIGINS: web.origin } }));

/** Calls a function of the page. */
function call<Result>(page: Page, name: string, ...values: unknown[]): Promise<Result> {
  return page.evaluate(`device.${name}(...${JSON.stringify(values)})`) as Promise<Result>;
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  onTestFinished(() => expect(problems).toEqual([]));
  await page.goto(web.origin);
  await page.waitForFunction('globalThis.device !== undefined');
  return page;
}

/** A device enrolled in a new profile of the browser, and its agent without background work. */
async function startScene({ storageBytes, ...options }: { algorithm?: string; storageBytes?: number } = {}) {
  const tenant = await service.createTenant();
  const { secret } = await createTestEnrolment(service, { tenant });
  const context = await chromium.newContext();
  const page = await openPage(context);
  const browser = await context.newCDPSession(page);
  const limitStorage = (quotaSize: number | undefined) =>
    browser.send('Storage.overrideQuotaForOrigin', {
      origin: web.origin,
      ...(quotaSize === undefined ? {} : { quotaSize }),
    });
  if (storageBytes !== undefined) await limitStorage(storageBytes);
  const { baseUrl } = service;
  const enrolment = { baseUrl, tenantId: tenant.tenantId, enrolmentCredential: secret, platform: 'linux' };
  const { deviceId } = await call<{ deviceId: string }>(page, 'enrol', { ...enrolment, ...options });
  await call(page, 'open', { autonomous: false, statusEveryHours: 0 });
  return { tenant, context, page, deviceId, limitStorage };
}

async function feedOf({ credential }: TestTenant) {
  const { body } = await service.client.send('GET', '/events?limit=500', { credential });
  return (body as { data: Record<string, unknown>[] }).data;
}

test.each(['ed25519', 'ecdsa-p256-sha256', 'rsa-pss-sha512', 'rsa-v1_5-sha256'])(
  'a page records, redacts, signs (%s) and uploads, across origins',
  async (algorithm) => {
    const { tenant, page, deviceId } = await startScene({ algorithm });
    const first = await call<RecordResult>(page, 'record', DETECTION);
    const second = await call<RecordResult>(page, 'record', { ...DETECTION, confidence: 0.6 });
    expect([first, second]).toMatchObject([
      { kept: 'disk', decision: { action: 'block' } },
      { kept: 'disk', decision: { action: 'warn' } },
    ]);
    expect(await call(page, 'flush')).toBe(true);
    const events = await feedOf(tenant);
    expect(events).toMatchObject([
      { event_id: first.eventId, device_id: deviceId, sequence: 1 },
      { event_id: second.eventId, sequence: 2 },
    ]);
    expect(JSON.stringify(events)).not.toContain(CANARY);
    expect(events[0]?.indicators).toEqual([expect.stringMatching(/^url:sha256:[0-9a-f]{64}$/)]);
    expect(await call<StoredRecord>(page, 'find', first.eventId)).toMatchObject({
      event: { description: DETECTION.description },
      history: { archived: expect.any(String) },
    });
    await call(page, 'close');
  },
);

test('what a page sends has no gap, also after it was killed and its keys were rotated', async () => {
  const { tenant, context, page } = await startScene();
  const ids: string[] = [];
  const record = async (on: Page) => ids.push((await call<RecordResult>(on, 'record', DETECTION)).eventId);
  await record(page);
  await call(page, 'flush');
  await record(page);
  await page.close();
  const again = await openPage(context);
  await call(again, 'open', { autonomous: false, statusEveryHours: 0 });
  await call(again, 'rotateSigningKey');
  await call(again, 'rotateStorageKey');
  await record(again);
  expect(await call(again, 'flush')).toBe(true);
  const events = await feedOf(tenant);
  expect(events.map(({ event_id, sequence }) => [event_id, sequence])).toEqual(
    ids.map((id, index) => [id, index + 1]),
  );
  for (const { event_id: id } of events) {
    const { body } = await service.client.send('GET', `/events/${id}/context`, tenant);
    expect(body).toMatchObject({ device_chain: { state: expect.stringMatching(/^(first|linked)$/) } });
  }
  expect((await call<AgentHealth>(again, 'health')).store).toMatchObject({
    archived: 3,
    missing: 0,
    damaged: 0,
  });
  await call(again, 'close');
});

test('a second page is refused, until the first one ends', async () => {
  const { context, page } = await startScene();
  const other = await openPage(context);
  const open = () => call(other, 'open', { autonomous: false });
  await expect(open()).rejects.toThrow(/in use by another page/);
  await page.close();
  await expect
    .poll(() =>
      open().then(
        () => 'opened',
        () => 'refused',
      ),
    )
    .toBe('opened');
  await call(other, 'close');
});

test('nothing of a device can be read in the browser, and no key can be exported', async () => {
  const { page } = await startScene();
  await call(page, 'record', DETECTION);
  await call(page, 'close');
  const { text, exportable } = await call<{ text: string; exportable: boolean[] }>(page, 'dump', DATABASE);
  expect(text).toContain('"device_id"');
  expect(text).not.toContain(CANARY);
  expect(text).not.toContain('svc_');
  // The signing key and the storage key.
  expect(exportable).toEqual([false, false]);
});

test('a page without a network records, and uploads when it is back', async () => {
  const { tenant, context, page } = await startScene();
  await call(page, 'close');
  await call(page, 'open', { statusEveryHours: 0 });
  await context.setOffline(true);
  await call(page, 'record', DETECTION);
  expect(await call(page, 'flush')).toBe(false);
  expect((await call<AgentHealth>(page, 'health')).upload).toMatchObject({ state: 'backing_off' });
  await context.setOffline(false);
  await expect.poll(async () => (await feedOf(tenant)).length).toBe(1);
  await call(page, 'close');
});

test('a page that may store no more holds events in memory, and stores them when it may', async () => {
  const { page, limitStorage } = await startScene({ storageBytes: 200_000 });
  await call(page, 'close');
  await call(page, 'open', { statusEveryHours: 0 });
  const large = { ...DETECTION, description: 'd'.repeat(4000) };
  const record = () => call<RecordResult>(page, 'record', large);
  await expect.poll(async () => (await record()).kept, { interval: 1 }).toBe('memory');
  const storeOf = async () => (await call<AgentHealth>(page, 'health')).store;
  expect(await storeOf()).toMatchObject({ mode: 'safe_mode', reason: 'disk_full' });
  await limitStorage(undefined);
  // The browser looks at the limit again within half a minute.
  await expect.poll(async () => (await storeOf()).mode, { timeout: 90_000 }).toBe('recording');
  expect(await call(page, 'notices')).toEqual(['safe_mode', 'recovered']);
  await call(page, 'close');
});

test("a page with a wrong clock signs by the service's clock, which other origins may read", async () => {
  const { tenant, page } = await startScene();
  await call(page, 'close');
  const clockAheadMs = -24 * 3_600_000;
  await call(page, 'open', { autonomous: false, statusEveryHours: 0 }, { clockAheadMs });
  await call(page, 'record', DETECTION);
  expect(await call(page, 'flush')).toBe(true);
  expect(await feedOf(tenant)).toHaveLength(1);
  const health = await call<AgentHealth>(page, 'health');
  expect(health.clockAheadMs).toBeLessThan(clockAheadMs / 2);
  await call(page, 'close');
});

test("a page classifies by the models and the tenant's indicators", async () => {
  const { tenant, page } = await startScene();
  const { credential } = tenant;
  const indicator = { type: 'domain', value: 'evil.example', category: 'phishing', confidence: 0.95 };
  const body = { source: 'own', indicators: [{ ...indicator, threat_type: 'known_indicator' }] };
  const answer = await service.client.send('POST', '/indicators', { credential, body });
  expect(answer.status, answer.text).toBeLessThan(300);
  await call(page, 'close');
  await call(page, 'open', { autonomous: false, statusEveryHours: 0 }, { modelsUrl: '/models' });
  expect(await call(page, 'refreshIndicators')).toBe(true);
  const byIndicator = await call<ScanResult>(page, 'scan', 'Look at https://evil.example/x');
  expect(byIndicator.classification).toMatchObject({ verdict: 'block' });
  const text =
    'Royal Mail: your parcel is held, pay the fee of 1.99 today: https://royalmail-redelivery-fee.top/pay';
  const byModel = await call<ScanResult>(page, 'scan', text);
  expect(byModel).toMatchObject({
    classification: { verdict: 'block', threatType: 'delivery_scam' },
    recorded: { kept: 'disk' },
  });
  await call(page, 'close');
});

/** Rejects Ed25519 as Web Crypto of a browser before Chromium 137 does. */
function removeEd25519(): void {
  const { subtle } = crypto;
  for (const name of ['generateKey', 'importKey'] as const) {
    const work = subtle[name].bind(subtle) as (...values: unknown[]) => Promise<unknown>;
    const replacement = (...values: unknown[]) =>
      JSON.stringify(values).includes('Ed25519')
        ? Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'))
        : work(...values);
    Object.defineProperty(subtle, name, { value: replacement, configurable: true });
  }
}

test('a browser without Ed25519 opens the agent, records, and reports that it has no indicators', async () => {
  const { tenant, context, page } = await startScene({ algorithm: 'ecdsa-p256-sha256' });
  await page.close();
  await context.addInitScript(removeEd25519);
  const { body } = await service.client.send('GET', '/indicators/keys', tenant);
  const indicatorKeys = (body as { keys: { public_key_b64: string }[] }).keys.map(
    (key) => key.public_key_b64,
  );
  for (const options of [{}, { indicatorKeys }]) {
    const old = await openPage(context);
    const asked: string[] = [];
    old.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await call(old, 'open', { autonomous: false, statusEveryHours: 0, ...options });
    expect(await call(old, 'refreshIndicators')).toBe(false);
    expect(await call(old, 'notices')).toEqual(['indicators_refused']);
    expect((await call<AgentHealth>(old, 'health')).indicators).toMatchObject({
      count: 0,
      refused: 'not_verifiable',
    });
    expect(asked.filter((path) => path.endsWith('/indicators/bundle'))).toEqual([]);
    await call(old, 'record', DETECTION);
    expect(await call(old, 'flush')).toBe(true);
    await call(old, 'close');
    await old.close();
  }
  const invalid = await openPage(context);
  const open = call(invalid, 'open', { autonomous: false, indicatorKeys: ['AAAA'] });
  await expect(open).rejects.toThrow(/must be Ed25519 public keys/);
});

test('a page that could not verify for a time trusts no keys but those of its first use', async () => {
  const { context, page } = await startScene({ algorithm: 'ecdsa-p256-sha256' });
  expect(await call(page, 'refreshIndicators')).toBe(true);
  await page.close();
  await context.addInitScript(removeEd25519);
  const again = await openPage(context);
  const asked: string[] = [];
  again.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await call(again, 'open', { autonomous: false, statusEveryHours: 0 });
  expect(await call(again, 'refreshIndicators')).toBe(false);
  await again.evaluate('delete crypto.subtle.importKey');
  expect(await call(again, 'refreshIndicators')).toBe(true);
  expect(asked.filter((path) => path.endsWith('/indicators/keys'))).toEqual([]);
  await call(again, 'close');
});
