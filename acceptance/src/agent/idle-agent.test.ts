import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type AgentClock, enrolDevice, openNodeAgent } from '@tps/agent';
import { keysOfUrl } from '@tps/detection/indicators';
import { createTestEnrolment } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { startTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const MINUTE_MS = 60_000;

/** A clock whose waits between two polls (2.5 to 7.5 minutes) end by hand. No other wait ends. */
function pollClock() {
  const waits = new Set<() => void>();
  let passedMs = 0;
  const clock: AgentClock = {
    nowMs: () => Date.now() + passedMs,
    sleep: (ms, signal) =>
      new Promise<void>((resolve, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        if (ms === 0) resolve();
        else if (ms >= 2.5 * MINUTE_MS && ms <= 7.5 * MINUTE_MS) waits.add(resolve);
      }),
  };
  return {
    clock,
    /** Waits until the polls under way have ended. */
    idle: () => waitUntil(() => waits.size > 0),
    async nextPoll() {
      const ended = [...waits];
      waits.clear();
      passedMs += 1000;
      for (const end of ended) end();
      await waitUntil(() => waits.size >= ended.length);
    },
  };
}

type Refusal = readonly [status: number, body: string];

/** Forwards GET requests to the service and notes them with the status of their answer. */
async function startProxy(target: string) {
  const seen: string[] = [];
  /** Answers the requests whose path ends with `/updates`, as a service or gateway without them does. */
  const state: { updates?: Refusal | undefined } = {};
  const server = createServer(async ({ url = '', headers }, response) => {
    const { authorization = '', 'if-none-match': known } = headers;
    const forward = () =>
      fetch(`${target}${url}`, { headers: { authorization, ...(known && { 'if-none-match': known }) } });
    const [status, body] = (url.endsWith('/updates') && state.updates) || [undefined, undefined];
    const answer = status === undefined ? await forward() : new Response(body, { status });
    seen.push(`${url.replace(/dev_\w+/, '{id}')} ${answer.status}`);
    const kept = ['etag', 'date', 'content-type'].flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const takeSeen = () => seen.splice(0).sort();
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, state, takeSeen };
}

/** An enrolled device whose agent has made its first poll through the proxy. */
async function startScene() {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const proxy = await startProxy(service.baseUrl);
  const { secret } = await createTestEnrolment(service);
  const { tenantId, credential } = service.tenant;
  const directory = join(newFolder(), 'device');
  const { baseUrl } = service;
  await enrolDevice({ directory, baseUrl, tenantId, enrolmentCredential: secret, platform: 'linux' });
  const { clock, idle, nextPoll } = pollClock();
  const open = async () => {
    const agent = await openNodeAgent({ directory, baseUrl: proxy.baseUrl, clock, statusEveryHours: 0 });
    onTestFinished(() => agent.close());
    return agent;
  };
  const agent = await open();
  await idle();
  const poll = async () => {
    await nextPoll();
    return proxy.takeSeen();
  };
  const post = async (path: string, body: object) => {
    const answer = await service.client.send('POST', path, { credential, body });
    expect(answer.status, answer.text).toBeLessThan(300);
  };
  return {
    agent,
    poll,
    proxy,
    first: proxy.takeSeen(),
    createPolicy: () => post('/policies', { name: 'p', threat_categories: ['phishing'], action: 'block' }),
    importIndicator: (value: string) => {
      const indicator = { type: 'domain', value, category: 'phishing', threat_type: 'known_indicator' };
      return post('/indicators', { source: 'list', indicators: [{ ...indicator, confidence: 1 }] });
    },
    confirmed: () => {
      const { policies, indicators } = agent.health();
      return [policies.confirmedAt ?? '', indicators?.confirmedAt ?? ''] as const;
    },
    isListed: (url: string) => agent.indicators().find(keysOfUrl(url), Date.now()).length > 0,
  };
}

const UPDATES = '/devices/{id}/updates';
const BOTH_UNCHANGED = ['/indicators/bundle 304', '/policies?limit=100 304'];

test('an idle agent sends one request in each interval, which confirms policies and indicators', async () => {
  const { first, poll, confirmed } = await startScene();
  expect(first).toEqual(['/indicators/bundle 200', '/indicators/keys 200', '/policies?limit=100 200']);
  let [policies, indicators] = confirmed();
  for (const status of [200, 304, 304]) {
    expect(await poll()).toEqual([`${UPDATES} ${status}`]);
    const [laterPolicies, laterIndicators] = confirmed();
    expect([laterPolicies > policies, laterIndicators > indicators]).toEqual([true, true]);
    [policies, indicators] = [laterPolicies, laterIndicators];
  }
});

test('what has changed costs one more request each, and only that is fetched', async () => {
  const { agent, poll, createPolicy, importIndicator, isListed } = await startScene();
  await poll();
  await createPolicy();
  expect(await poll()).toEqual([`${UPDATES} 200`, '/policies?limit=100 200']);
  expect(agent.health().policies.count).toBe(1);
  await importIndicator('evil.example');
  expect(await poll()).toEqual([`${UPDATES} 200`, '/indicators/bundle 200']);
  expect(isListed('https://evil.example/')).toBe(true);
  expect(await poll()).toEqual([`${UPDATES} 304`]);
  await createPolicy();
  await importIndicator('worse.example');
  expect(await poll()).toEqual([`${UPDATES} 200`, '/indicators/bundle 200', '/policies?limit=100 200']);
  expect(agent.health().policies.count).toBe(2);
  expect(isListed('https://worse.example/')).toBe(true);
  expect(await poll()).toEqual([`${UPDATES} 304`]);
});

const errorBody = (code: string, status: number) =>
  JSON.stringify({ error: { code, message: 'No.', status } });

test.each<[string, Refusal]>([
  ['that does not know the request', [404, errorBody('not_found', 404)]],
  ['that does not know the method', [405, errorBody('method_not_allowed', 405)]],
  ['that requires another scope', [403, errorBody('insufficient_scope', 403)]],
  ['behind a gateway that does not know the path', [404, '<h1>Not found</h1>']],
])('a service %s is asked for both, and again for the updates after an hour', async (_which, refusal) => {
  const { proxy, poll, createPolicy, agent } = await startScene();
  proxy.state.updates = refusal;
  expect(await poll()).toEqual([`${UPDATES} ${refusal[0]}`, ...BOTH_UNCHANGED]);
  await createPolicy();
  expect(await poll()).toEqual(['/indicators/bundle 304', '/policies?limit=100 200']);
  expect(agent.health().policies.count).toBe(1);
  for (let polls = 1; polls < 12; polls += 1) expect(await poll()).toEqual(BOTH_UNCHANGED);
  proxy.state.updates = undefined;
  expect(await poll()).toEqual([`${UPDATES} 200`]);
});

test.each<[string, Refusal]>([
  ['is overloaded', [429, errorBody('rate_limited', 429)]],
  ['is down', [503, '']],
])('while the service %s, an agent sends no further request and keeps what it has', async (_how, refusal) => {
  const { proxy, poll, confirmed, agent } = await startScene();
  const before = confirmed();
  proxy.state.updates = refusal;
  expect(await poll()).toEqual([`${UPDATES} ${refusal[0]}`]);
  expect(confirmed()).toEqual(before);
  expect(agent.health().indicators).toMatchObject({ refused: undefined, version: expect.any(Number) });
  proxy.state.updates = undefined;
  expect(await poll()).toEqual([`${UPDATES} 200`]);
});
