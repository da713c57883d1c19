import type { Role } from '@tps/contract';
import { approveDevice, FormBrowser, signIn } from '@tps/testing/browser';
import { createPerson, type TestPerson, useTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock(Date.now());
const service = useTestService({ clock });

async function post(path: string, form: Record<string, string>, baseUrl = service.baseUrl) {
  const body = new URLSearchParams({ client_id: 'tps-cli', ...form });
  const response = await fetch(`${baseUrl}/auth${path}`, {
    method: 'POST',
    body,
    headers: { 'user-agent': 'tps/1 <b>', connection: 'close', 'x-forwarded-for': '203.0.113.9' },
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Asks for a code as `tps login` does. */
async function beginOnDevice(scope = 'devices:read tokens:write') {
  const { body } = await post('/device/code', { scope });
  const { user_code: userCode = '', device_code = '' } = body;
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return { userCode, poll: () => post('/token', { grant_type, device_code }) };
}

async function signInAs(person: TestPerson): Promise<FormBrowser> {
  const browser = new FormBrowser(service.baseUrl);
  await signIn(browser, person);
  return browser;
}

async function addMembership(person: TestPerson, tenantId: string, role: Role): Promise<void> {
  const membership = { tenant_id: tenantId, account_id: person.accountId, role };
  await service.service.database.transaction((tx) =>
    tx.insertMany('memberships', [{ ...membership, created_at: clock.now(), created_by: 'test' }]),
  );
}

test('a person connects the command line with the tenant that they choose', async () => {
  const person = await createPerson(service, { role: 'admin' });
  const other = await service.createTenant();
  await addMembership(person, other.tenantId, 'viewer');
  const browser = await signInAs(person);
  const { userCode, poll } = await beginOnDevice();
  expect(await poll()).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });

  const typed = ` ${userCode.toLowerCase().replace('-', ' ')} `;
  const page = await browser.submit(await browser.open('/auth/device'), { user_code: typed });
  expect(page.text).toContain(`code ${userCode}`);
  expect(page.text).toContain('Program tps/1 <b>');
  expect(page.text).toContain('Address of the device 127.0.0.1');
  expect(await browser.submit(page, {}, { button: 'Allow' })).toMatchObject({ status: 200, url: page.url });
  expect(await poll()).toMatchObject({ body: { error: 'authorization_pending' } });
  expect((await approveDevice(browser, userCode, { tenantId: other.tenantId })).title).toContain(
    'is connected',
  );

  const { body } = await poll();
  expect(body).toMatchObject({ scope: 'devices:read', token_type: 'Bearer' });
  const { access_token: credential = '' } = body;
  expect(await service.client.send('GET', '/devices', { credential })).toMatchObject({ status: 200 });
  const own = `/devices?tenant_id=${service.tenant.tenantId}`;
  expect((await service.client.send('GET', own, { credential })).status).not.toBe(200);
  expect(await poll()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test('the address with the code fills it in, and still asks', async () => {
  const browser = await signInAs(await createPerson(service));
  const { userCode, poll } = await beginOnDevice();
  const page = await browser.open(`/auth/device?${new URLSearchParams({ user_code: userCode })}`);
  expect(page.forms[0]?.fields).toContainEqual(['user_code', userCode.replace('-', '')]);
  const consent = await browser.submit(page);
  expect(consent.title).toContain('Allow tps');
  expect(await poll()).toMatchObject({ body: { error: 'authorization_pending' } });
});

test('the command line is connected only by someone who has just proved who they are', async () => {
  const person = await createPerson(service, { role: 'admin' });
  const browser = await signInAs(person);
  clock.advance(11 * 60_000);
  const { userCode, poll } = await beginOnDevice('tokens:write');
  const asked = await browser.submit(await browser.open('/auth/device'), { user_code: userCode });
  expect(asked.url.pathname).toBe('/auth/confirm');
  const back = await browser.submit(asked, { password: person.password });
  expect(back.forms[0]?.fields).toContainEqual(['user_code', userCode.replace('-', '')]);
  await browser.submit(await browser.submit(back), {}, { button: 'Allow' });

  const { access_token: credential = '' } = (await poll()).body;
  const body = { name: 'new', scopes: ['tokens:write'] };
  expect(await service.client.send('POST', '/tokens', { credential, body })).toMatchObject({ status: 201 });
});

test('a device that is denied gets an error, and no decision after it counts', async () => {
  const browser = await signInAs(await createPerson(service));
  const { userCode, poll } = await beginOnDevice();
  const denied = await approveDevice(browser, userCode, { button: 'Deny' });
  expect(denied.title).toContain('was not connected');
  const again = await browser.submit(await browser.open('/auth/device'), { user_code: userCode });
  expect(again).toMatchObject({ status: 400 });
  expect(await poll()).toMatchObject({ status: 400, body: { error: 'access_denied' } });
});

test('of two people who allow a device at once, one does', async () => {
  const { userCode, poll } = await beginOnDevice();
  const pages = await Promise.all(
    [0, 1].map(async () => {
      const browser = await signInAs(await createPerson(service));
      const form = await browser.open('/auth/device');
      return { browser, page: await browser.submit(form, { user_code: userCode }) };
    }),
  );
  const decided = await Promise.all(
    pages.map(({ browser, page }) => browser.submit(page, {}, { button: 'Allow' })),
  );
  expect(decided.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await poll()).toMatchObject({ status: 200 });
});

test('a form for a device that another site sends is rejected', async () => {
  const browser = await signInAs(await createPerson(service));
  const { userCode, poll } = await beginOnDevice();
  const forged = { user_code: userCode, decision: 'allow', tenant: service.tenant.tenantId };
  expect(await browser.post('/auth/device', forged)).toMatchObject({ status: 403 });
  const page = await browser.open('/auth/device');
  const signed = { ...Object.fromEntries(page.forms[0]?.fields ?? []), ...forged };
  const foreign = { origin: 'https://evil.example' };
  expect(await browser.post('/auth/device', signed, foreign)).toMatchObject({ status: 403 });
  expect(await poll()).toMatchObject({ body: { error: 'authorization_pending' } });
});

test('codes cannot be tried one after the other', async () => {
  const browser = await signInAs(await createPerson(service));
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const page = await browser.submit(await browser.open('/auth/device'), {
      user_code: `BCDF-GHJ${attempt}`,
    });
    statuses.push(page.status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  const { userCode } = await beginOnDevice();
  const blocked = await browser.submit(await browser.open('/auth/device'), { user_code: userCode });
  expect(blocked).toMatchObject({ status: 429 });
  expect(blocked.headers.get('retry-after')).toBe('5');
});

describe('behind a proxy', () => {
  const proxied = useTestService({ env: { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' } });

  test('the page for a device shows the address that the proxy has seen', async () => {
    const { body } = await post('/device/code', { scope: 'devices:read' }, proxied.baseUrl);
    const browser = new FormBrowser(proxied.baseUrl);
    await signIn(browser, await createPerson(proxied));
    const { user_code = '' } = body;
    const page = await browser.submit(await browser.open('/auth/device'), { user_code });
    expect(page.text).toContain('Address of the device 203.0.113.9');
  });
});
