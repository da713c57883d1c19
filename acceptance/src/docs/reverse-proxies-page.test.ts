import { createDeviceClient, generateDeviceKey } from '@tps/agent';
import { testEvent } from '@tps/testing/device';
import { createTestAuthority, findFreePort } from '@tps/testing/network';
import { requireProgram } from '@tps/testing/process';
import { startTestService } from '@tps/testing/service';
import { Agent } from 'undici';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ProxyProgram, startProxy } from './proxy-recipe.ts';

const PROGRAMS: readonly (readonly [program: ProxyProgram, installed: string])[] = [
  ['nginx', 'nginx'],
  ['haproxy', 'haproxy'],
  ['caddyfile', 'caddy'],
];
const PREFIX = '/tps';

const authority = createTestAuthority();
afterAll(() => authority.remove());

/** Runs the service behind the recipe of a program. */
async function startBehind(program: ProxyProgram, isPrefixKept: boolean) {
  const [port, servicePort] = [await findFreePort(), await findFreePort()];
  const origin = `https://127.0.0.1:${port}`;
  const base = `${origin}${PREFIX}`;
  const service = await startTestService({
    env: {
      SERVICE_BIND: `127.0.0.1:${servicePort}`,
      SERVICE_BASE_URL: base,
      SERVICE_RATE_LIMIT_TRUST_PROXY: 'true',
    },
  });
  onTestFinished(() => service.stop());
  const proxy = await startProxy({ program, isPrefixKept, pair: authority.issue(), port, servicePort });
  onTestFinished(() => proxy.stop());
  const dispatcher = new Agent({ connect: { ca: authority.ca } });
  onTestFinished(() => dispatcher.destroy());
  const overTls: typeof fetch = (input, init) =>
    fetch(input, { redirect: 'manual', ...init, dispatcher } as unknown as RequestInit);
  const get = (address: string, init: RequestInit = {}) => overTls(new URL(address, origin), init);
  return { service, origin, base, overTls, get };
}

type ProxiedService = Awaited<ReturnType<typeof startBehind>>;

/** Returns where a response leads, and the status there. */
async function follow({ get }: ProxiedService, response: Response, init: RequestInit = {}) {
  const path = new URL(response.headers.get('location') ?? '', response.url).pathname;
  const next = await get(path, init);
  return { path, status: next.status, text: await next.text() };
}

describe.each(PROGRAMS)('the recipe for %s', (program, installed) => {
  requireProgram(installed);

  describe.each([
    ['removes', false],
    ['keeps', true],
  ] as const)('that %s the prefix', (_, isPrefixKept) => {
    test('leads every address that leaves the service back to it', async () => {
      const proxied = await startBehind(program, isPrefixKept);
      await followApi(proxied);
      await followPages(proxied);
      await readMetadata(proxied);
      await streamEvents(proxied);
    });
  });
});

async function followApi(proxied: ProxiedService): Promise<void> {
  const { service, get } = proxied;
  const headers = {
    authorization: `Bearer ${service.tenant.credential}`,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ name: 'proxied', scopes: ['events:read'] });
  const created = await get(`${PREFIX}/tokens`, { method: 'POST', headers, body });
  expect(created.status).toBe(201);
  expect(await follow(proxied, created, { headers })).toMatchObject({
    path: expect.stringMatching(/^\/tps\/tokens\//),
    status: 200,
  });
}

async function followPages(proxied: ProxiedService): Promise<void> {
  const { get, base } = proxied;
  const docs = await follow(proxied, await get(`${PREFIX}/docs`));
  expect(docs).toMatchObject({ path: '/tps/docs/', status: 200 });
  expect(docs.text).toContain('"url": "/tps/openapi.json"');
  expect((await get('/tps/docs/js/scalar.js')).status).toBe(200);
  const document = (await (await get('/tps/openapi.json')).json()) as { servers: { url: string }[] };
  expect(document.servers[0]?.url).toBe(base);
  const html = { headers: { accept: 'text/html' } };
  const console = await follow(proxied, await get(`${PREFIX}/`, html), html);
  expect(console).toMatchObject({ path: '/tps/console', status: 200 });
  const assets = [...console.text.matchAll(/(?:src|href)="([^"]+\.(?:js|css|svg))"/g)].map(
    ([, path]) => path,
  );
  for (const path of assets) expect((await get(path ?? '')).status, path).toBe(200);
  const login = await get(`${PREFIX}/auth/login`, html);
  expect(login.status).toBe(200);
  for (const cookie of login.headers.getSetCookie()) expect(cookie).toMatch(/^__Host-.*; Path=\/;.*; Secure/);
  const actions = [...(await login.text()).matchAll(/action="([^"]+)"/g)].map(([, action]) => action);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^\/tps\/auth\//);
}

async function readMetadata({ get, base }: ProxiedService): Promise<void> {
  for (const path of [
    '/.well-known/oauth-authorization-server/tps/auth',
    '/tps/auth/.well-known/openid-configuration',
  ]) {
    const metadata = (await (await get(path)).json()) as Record<string, unknown>;
    expect(metadata.issuer, path).toBe(`${base}/auth`);
    const addresses = Object.entries(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));
    expect(addresses.length).toBeGreaterThan(4);
    for (const [name, address] of addresses) expect(address, name).toMatch(`${base}/auth/`);
  }
}

/** A device signs the public path, and a reader gets its event while the stream is open. */
async function streamEvents({ service, base, overTls, get }: ProxiedService): Promise<void> {
  const { credential, tenantId } = service.tenant;
  const deviceId = 'dev_proxied';
  const device = createDeviceClient({
    ...{ baseUrl: base, credential, deviceId, tenantId, fetch: overTls },
    key: await generateDeviceKey('ed25519'),
  });
  await device.register({ platform: 'android' });
  const abort = new AbortController();
  const stream = await get(`${PREFIX}/events/stream`, {
    headers: { authorization: `Bearer ${credential}` },
    signal: abort.signal,
  });
  expect(stream.status).toBe(200);
  const event = testEvent({ tenant_id: tenantId, device_id: deviceId });
  let text = '';
  for await (const chunk of stream.body ?? []) {
    // The first message has arrived: the stream is open.
    if (text === '') await device.submitEvent(event);
    text += Buffer.from(chunk).toString();
    if (text.includes(event.event_id)) break;
  }
  abort.abort();
  expect(text).toContain(event.event_id);
}
