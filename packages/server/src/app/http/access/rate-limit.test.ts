import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { SCOPES } from '@tps/contract';
import { exchangeSession, startSession } from '@tps/testing/console';
import { registerTestDevice } from '@tps/testing/device';
import {
  createContractClient,
  createPerson,
  startTestService,
  type TestAnswer,
  type TestService,
} from '@tps/testing/service';
import { createTestStore } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TenantService } from '../../../features/tenants/tenant-service.ts';
import { systemClock } from '../../../platform/clock.ts';

async function start(limit: number, env: Record<string, string> = {}): Promise<TestService> {
  const service = await startTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: String(limit), ...env } });
  onTestFinished(() => service.stop());
  return service;
}

async function startWithClock(env: Record<string, string>) {
  const clock = new ManualClock(Date.now());
  const service = await startTestService({ env, clock });
  onTestFinished(() => service.stop());
  return { service, clock };
}

async function times(count: number, send: () => Promise<TestAnswer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
  return statuses;
}

/** Sends headers unchanged: a header with several values has several lines. */
async function postRaw({ baseUrl }: TestService, path: string, headers: OutgoingHttpHeaders) {
  const sent = request(`${baseUrl}${path}`, { method: 'POST', headers, agent: false }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode, remaining: answer.headers['x-ratelimit-remaining'] };
}

/** Signs people in to the console. Returns the access token of each. */
async function openConsoles(service: TestService, count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const secret = await startSession(service, await createPerson(service));
      return (await exchangeSession(service, secret)).body.access_token;
    }),
  );
}

const all = (count: number, status: number) => Array.from({ length: count }, () => status);

describe('the limit of a tenant', () => {
  test('admits exactly the limit and reports to the next request when to retry', async () => {
    const service = await start(5);
    const { credential } = service.tenant;
    const send = () => service.client.send('GET', '/status', { credential });
    const first = await send();
    expect(first.headers.get('x-ratelimit-limit')).toBe('5');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('4');
    expect(await times(4, send)).toEqual(all(4, 200));

    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ error: { code: 'rate_limited', status: 429 } });
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  test('admits exactly the limit of concurrent requests', async () => {
    const service = await start(20);
    const { credential } = service.tenant;
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => service.client.send('GET', '/status', { credential })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
  });

  test("is shared by the tenant's credentials and both headers, but not by other tenants", async () => {
    const service = await start(4);
    const { credential, tenantId } = service.tenant;
    const second = await service.createCredential(tenantId, SCOPES);
    const other = await service.createTenant();
    await times(2, () => service.client.send('GET', '/status', { credential }));
    await times(2, () => service.client.send('GET', '/devices', { headers: { 'x-api-key': second } }));
    for (const used of [credential, second]) {
      expect((await service.client.send('GET', '/status', { credential: used })).status).toBe(429);
    }
    const theirs = await service.client.send('GET', '/status', { credential: other.credential });
    expect(theirs.status).toBe(200);
    expect(theirs.headers.get('x-ratelimit-remaining')).toBe('3');
  });

  test('counts admitted requests even if they are then rejected', async () => {
    const service = await start(3);
    const { credential, tenantId } = service.tenant;
    const narrow = await service.createCredential(tenantId, ['events:read']);
    await service.client.send('GET', '/status?surprise=1', { credential });
    await service.client.send('GET', '/status', { credential: narrow });
    await service.client.send('GET', '/events/evt_nobody', { credential });
    expect((await service.client.send('GET', '/status', { credential })).status).toBe(429);
  });

  test("follows the operator's setting from the next request on, up, down and back", async () => {
    const service = await start(3);
    const { credential, tenantId } = service.tenant;
    const { database } = service.service;
    const tenants = new TenantService({ database, clock: systemClock });
    const send = () => service.client.send('GET', '/status', { credential });
    expect(await times(4, send)).toEqual([200, 200, 200, 429]);

    await tenants.setRateLimit(tenantId, 5);
    expect((await send()).headers.get('x-ratelimit-limit')).toBe('5');
    expect(await times(2, send)).toEqual([200, 429]);

    await tenants.setRateLimit(tenantId, 2);
    const lowered = await send();
    expect(lowered.status).toBe(429);
    expect(lowered.headers.get('x-ratelimit-limit')).toBe('2');

    await tenants.setRateLimit(tenantId, null);
    expect((await send()).headers.get('x-ratelimit-limit')).toBe('3');
    await expect(tenants.setRateLimit('tnt_nobody', 5)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the reserve for device events', () => {
  test('takes an event after other requests have used up their part of the limit', async () => {
    const { service, clock } = await startWithClock({ SERVICE_RATE_LIMIT_PER_MINUTE: '20' });
    const { credential } = service.tenant;
    const device = await registerTestDevice(service);
    // The number of devices that is known is at most a minute old.
    clock.advance(61_000);
    const read = () => service.client.send('GET', '/status', { credential });
    expect(await times(20, read)).toContain(429);
    expect((await device.post(device.event())).status).toBe(201);
    expect((await read()).status).toBe(429);
  });
});

describe('people in the console', () => {
  test('count against the limit of their tenant, however many they are', async () => {
    const service = await start(60);
    const people = await openConsoles(service, 5);
    const answers = await Promise.all(
      people.map((credential) => times(61, () => service.client.send('GET', '/status', { credential }))),
    );
    expect(answers.flat().filter((status) => status === 200)).toHaveLength(60);
    const { credential } = service.tenant;
    expect((await service.client.send('GET', '/status', { credential })).status).toBe(429);
  });

  test.runIf(process.env.TEST_STORE === 'postgres')('count once on all nodes', async () => {
    const store = await createTestStore();
    onTestFinished(store.drop);
    const env = { SERVICE_RATE_LIMIT_PER_MINUTE: '60' };
    const service = await startTestService({ store, env });
    onTestFinished(() => service.stop());
    const node = await service.startNode();
    onTestFinished(() => node.stop());
    const people = await openConsoles(service, 2);
    const answers = await Promise.all(
      [service.baseUrl, node.baseUrl].flatMap((url) =>
        people.map((credential) =>
          times(61, () => createContractClient(url).send('GET', '/status', { credential })),
        ),
      ),
    );
    expect(answers.flat().filter((status) => status === 200)).toHaveLength(60);
  });

  test('keep a third of the limit while they work, however much programs send', async () => {
    const service = await start(12);
    const [person = ''] = await openConsoles(service, 1);
    const ask = (credential: string) => service.client.send('GET', '/status', { credential });
    const { credential } = service.tenant;
    expect((await ask(person)).status).toBe(200);
    const first = await ask(credential);
    expect(first.headers.get('x-ratelimit-limit')).toBe('8');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('7');
    expect(await times(8, () => ask(credential))).toEqual([...all(7, 200), 429]);
    expect(await times(4, () => ask(person))).toEqual([...all(3, 200), 429]);
  });

  test('leave a quarter of the limit to programs that are in use', async () => {
    const service = await start(12);
    const [person = ''] = await openConsoles(service, 1);
    const ask = (credential: string) => service.client.send('GET', '/status', { credential });
    const { credential } = service.tenant;
    expect((await ask(credential)).status).toBe(200);
    const first = await ask(person);
    expect(first.headers.get('x-ratelimit-limit')).toBe('9');
    expect(first.headers.get('x-ratelimit-remaining')).toBe('8');
    expect(await times(9, () => ask(person))).toEqual([...all(8, 200), 429]);
    expect(await times(3, () => ask(credential))).toEqual([...all(2, 200), 429]);
  });

  test('may use the whole limit while nothing else is in use', async () => {
    const service = await start(12);
    const [person = ''] = await openConsoles(service, 1);
    const ask = () => service.client.send('GET', '/status', { credential: person });
    expect(await times(13, ask)).toEqual([...all(12, 200), 429]);
  });
});

describe('the share of a credential', () => {
  test('leaves requests to the other credentials of the tenant while those are in use', async () => {
    const service = await start(12);
    const { credential, tenantId } = service.tenant;
    const person = await service.createCredential(tenantId, SCOPES);
    const ask = (used: string) => service.client.send('GET', '/status', { credential: used });
    expect((await ask(person)).status).toBe(200);
    expect(await times(12, () => ask(credential))).toEqual([...all(10, 200), ...all(2, 429)]);
    expect((await ask(person)).status).toBe(200);
    expect((await ask(person)).status).toBe(429);
  });

  test('is the whole limit while no other credential is in use', async () => {
    const service = await start(12);
    await service.createCredential(service.tenant.tenantId, SCOPES);
    const { credential } = service.tenant;
    const ask = () => service.client.send('GET', '/status', { credential });
    expect(await times(13, ask)).toEqual([...all(12, 200), 429]);
  });
});

test("a tenant's limit grows with its devices, unless an operator has set it", async () => {
  const { service, clock } = await startWithClock({
    SERVICE_RATE_LIMIT_PER_MINUTE: '6',
    SERVICE_RATE_LIMIT_PER_DEVICE: '5',
  });
  const { credential, tenantId } = service.tenant;
  const tenants = new TenantService({ database: service.service.database, clock });
  const limit = async () =>
    (await service.client.send('GET', '/status', { credential })).headers.get('x-ratelimit-limit');
  expect(await limit()).toBe('6');
  await registerTestDevice(service);
  await registerTestDevice(service);
  clock.advance(61_000);
  // 10 for two devices, without the reserve of a quarter.
  expect(await limit()).toBe('8');
  await tenants.setRateLimit(tenantId, 20);
  expect(await limit()).toBe('15');
});

describe('an operator', () => {
  test('has its own budget, for all tenants it names', async () => {
    const service = await start(3);
    const { operatorCredential: credential, tenant } = service;
    const other = await service.createTenant();
    const about = (id: string) => service.client.send('GET', `/status?tenant_id=${id}`, { credential });
    await about(tenant.tenantId);
    await about(other.tenantId);
    await about(tenant.tenantId);
    expect((await about(other.tenantId)).status).toBe(429);
    expect((await service.client.send('GET', '/status', { credential: tenant.credential })).status).toBe(200);
  });
});

describe('failed authentication', () => {
  test('has a budget per address, and never blocks a valid credential behind it', async () => {
    const service = await start(4);
    const fail = () => service.client.send('GET', '/status', { credential: 'wrong' });
    expect(await times(6, fail)).toEqual([401, 401, 401, 401, 429, 429]);
    const refused = await fail();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    const { credential } = service.tenant;
    const valid = () => service.client.send('GET', '/status', { credential });
    expect(await times(4, valid)).toEqual(all(4, 200));
    expect((await valid()).status).toBe(429);
  });

  test('counts missing, unknown and exposed credentials together', async () => {
    const service = await start(3);
    await service.client.send('GET', '/status');
    await service.client.send('GET', '/status', { credential: 'wrong' });
    await service.client.send('GET', '/status?key=svc_live_x');
    expect((await service.client.send('GET', '/status')).status).toBe(429);
  });

  test.each(['/events', '/events/batch'])('counts every form of it at POST %s', async (path) => {
    const service = await start(5);
    const post = (headers: OutgoingHttpHeaders, query = '') => postRaw(service, path + query, headers);
    const failures = [
      await post({}),
      await post({ authorization: 'Basic dXNlcjpwYXNz' }),
      await post({ authorization: 'Bearer wrong', 'x-api-key': service.tenant.credential }),
      await post({ 'x-api-key': ['wrong', 'wrong'] }),
      await post({}, '?key=svc_live_x'),
      await post({}),
    ];
    expect(failures.map(({ status }) => status)).toEqual([401, 401, 401, 400, 400, 429]);
    expect(failures.map(({ remaining }) => remaining)).toEqual(['4', '3', '2', '1', '0', '0']);
    expect((await service.client.send('GET', '/status')).status).toBe(429);
  });

  test('cannot be spread over forged addresses', async () => {
    const service = await start(3);
    let octet = 0;
    const fail = () => {
      octet += 1;
      const headers = { 'x-forwarded-for': `203.0.113.${octet}`, 'x-real-ip': `198.51.100.${octet}` };
      return service.client.send('GET', '/status', { credential: 'wrong', headers });
    };
    expect(await times(5, fail)).toEqual([401, 401, 401, 429, 429]);
  });

  test('is counted for the last address that a trusted proxy reports', async () => {
    const service = await start(2, { SERVICE_RATE_LIMIT_TRUST_PROXY: 'true' });
    const from = (chain: string) => () =>
      service.client.send('GET', '/status', { credential: 'wrong', headers: { 'x-forwarded-for': chain } });
    expect(await times(3, from('203.0.113.1'))).toEqual([401, 401, 429]);
    expect(await times(1, from('203.0.113.2'))).toEqual([401]);
    expect(await times(1, from('198.51.100.9, 203.0.113.1'))).toEqual([429]);
  });
});

test('open routes respond even after a budget is used up', async () => {
  const service = await start(1);
  const fail = () => service.client.send('GET', '/status', { credential: 'wrong' });
  expect(await times(2, fail)).toEqual([401, 429]);
  expect((await service.client.send('GET', '/healthz')).status).toBe(200);
  expect((await service.client.send('GET', '/readyz')).status).toBe(200);
});
