import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { useTestService, WEBHOOK_ENV } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { createTpsUser, type TpsUser } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';

const DETECTIONS = 120;
const CANARY = 'kanarie7f3d9b';

const service = useTestService({ env: { ...WEBHOOK_ENV, SERVICE_RATE_LIMIT_PER_MINUTE: '100000' } });

async function loggedIn(tenant?: { readonly credential: string }): Promise<TpsUser> {
  const user = createTpsUser();
  const { credential } = tenant ?? (await service.createTenant());
  const { code, stderr } = await user.run(['login', service.baseUrl], { input: credential });
  if (code !== 0) throw new Error(stderr);
  return user;
}

async function withDevice(tenant?: { readonly credential: string }): Promise<TpsUser> {
  const user = await loggedIn(tenant);
  await user.runWell('agent', 'enrol', '--directory', 'device', '--platform', 'linux', '--name', 'Gateway');
  return user;
}

const detection = (number: number) =>
  JSON.stringify({
    threatCategory: 'phishing',
    confidence: 0.97,
    description: `From ${CANARY}@example.com, number ${number}`,
    indicators: [`https://${CANARY}.example/${number}`],
  });

test('a device enrols, decides, delivers and rotates its keys with tps', async () => {
  const user = await withDevice();
  const input = [detection(1), 'no detection', detection(2)].join('\n');
  const run = await user.run(['agent', 'run', '--directory', 'device', '--ndjson'], { input });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Line 2 is not a valid detection') });
  const decisions = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { event_id: string; action: string });
  expect(decisions).toMatchObject([{ action: 'block' }, { action: 'block' }]);

  const events = await user.json<{ event_id: string }[]>('events', 'list');
  expect(events.map(({ event_id }) => event_id)).toEqual(decisions.map(({ event_id }) => event_id));
  expect(JSON.stringify(events)).not.toContain(CANARY);
  const records = await user.run(['agent', 'records', '--directory', 'device']);
  expect(records).toMatchObject({ code: 0, stdout: expect.stringContaining(CANARY) });
  expect(records.stderr).toContain('not redacted');
  await user.runWell('agent', 'rotate-keys', '--directory', 'device');
  const again = await user.run(['agent', 'run', '--directory', 'device'], { input: detection(3) });
  expect(again.code, again.stderr).toBe(0);
  const status = await user.json<{ store: object }>('agent', 'status', '--directory', 'device');
  expect(status.store).toMatchObject({ waiting: 0, archived: 3, refused: 0 });
});

test('the feed is exported in each format, page by page, and resumes where it ended', async () => {
  const user = await withDevice();
  await writeFile(
    join(user.directory, 'detections'),
    Array.from({ length: DETECTIONS }, (_, n) => detection(n)).join('\n'),
  );
  await user.runWell('agent', 'run', 'detections', '--directory', 'device');

  const lines = async (...args: string[]) => (await user.runWell('export', ...args)).trim().split('\n');
  const idsOf = (exported: readonly string[]) =>
    exported.map((line) => (JSON.parse(line) as { event_id: string }).event_id);
  const feed = idsOf(await lines());
  expect(new Set(feed).size).toBe(DETECTIONS);
  const findings = (await lines('--format', 'ocsf')).map(
    (line) => JSON.parse(line) as { metadata: { uid: string } },
  );
  expect(findings.map(({ metadata }) => metadata.uid)).toEqual(feed);
  const cef = await lines('--format', 'cef', '--syslog');
  expect(cef.map((line) => /externalId=(\S+)/.exec(line)?.[1])).toEqual(feed);
  const bundles = (await lines('--format', 'stix')).map((line) => JSON.parse(line) as { objects: object[] });
  expect(bundles).toHaveLength(Math.ceil(DETECTIONS / 100));

  const onward = ['export', '--output', 'out', '--cursor-file', 'cursor', '--since', '1h'];
  expect((await user.run(onward)).stderr).toContain(`${DETECTIONS} events written to`);
  await user.run(['agent', 'run', '--directory', 'device'], { input: detection(0) });
  expect((await user.run(onward)).stderr).toContain(`${DETECTIONS + 1} events written to`);
  expect((await user.run([...onward, '--severity', 'low'])).code).toBe(2);
  // Longer than the export, and not written by it.
  const other = join(user.directory, 'other');
  await writeFile(other, 'x'.repeat(1_000_000));
  const elsewhere = await user.run(['export', '--output', 'other', '--cursor-file', 'cursor']);
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('was written to "out"') });
  expect((await stat(other)).size).toBe(1_000_000);
});

/** A proxy before the service, which a test can let refuse every request. */
async function startProxy() {
  const proxy = { refusal: undefined as { status: number; code: string } | undefined, url: '' };
  const server = createServer(async ({ url, method, headers }, response) => {
    response.setHeader('content-type', 'application/json');
    if (proxy.refusal) {
      const error = { ...proxy.refusal, message: `It is ${proxy.refusal.code}.` };
      response.writeHead(error.status).end(JSON.stringify({ error }));
      return;
    }
    const { authorization = '' } = headers;
    const answer = await fetch(new URL(url ?? '', service.baseUrl), {
      method: method ?? 'GET',
      headers: { authorization },
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

test.each([
  ['export --follow', ['export', '--follow']],
  ['events follow --poll', ['events', 'follow', '--poll', '100', '--since', '1h', '--ndjson']],
])('%s waits out refusals, reports each reason, and continues', async (_, args) => {
  const { credential } = await service.createTenant();
  const user = await withDevice({ credential });
  const proxy = await startProxy();
  const stop = new AbortController();
  const env = { TPS_URL: proxy.url, TPS_CREDENTIAL: credential };
  const following = user.begin(args, { signal: stop.signal, env });
  await user.run(['agent', 'run', '--directory', 'device'], { input: detection(1) });
  const lines = () => following.stdout().split('\n').length - 1;
  await waitUntil(() => lines() === 1);
  for (const code of ['invalid_credentials', 'not_found']) {
    proxy.refusal = { status: code === 'not_found' ? 404 : 401, code };
    await waitUntil(() => following.stderr().includes(`It is ${code}. Retrying.`));
  }
  proxy.refusal = undefined;
  await user.run(['agent', 'run', '--directory', 'device'], { input: detection(2) });
  await waitUntil(() => lines() === 2);
  stop.abort();
  expect((await following.ended).code).toBe(0);
});

test('webhooks listen registers itself, prints deliveries, and removes its webhook', async () => {
  const user = await withDevice();
  const stop = new AbortController();
  const listening = user.begin(['webhooks', 'listen', '--register', '--ndjson'], { signal: stop.signal });
  await waitUntil(async () => (await user.json<object[]>('webhooks', 'list')).length === 1);
  await user.run(['agent', 'run', '--directory', 'device'], { input: detection(1) });
  await waitUntil(() => listening.stdout() !== '');
  stop.abort();
  const { code, stdout, stderr } = await listening.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ threat_category: 'phishing', action_taken: 'block' });
  expect(await user.json<object[]>('webhooks', 'list')).toEqual([]);
});

test('webhooks listen removes its webhook and ends when its output is closed', async () => {
  const user = await withDevice();
  const listening = user.start(['webhooks', 'listen', '--register', '--ndjson']);
  listening.stdout.destroy();
  await waitUntil(async () => (await user.json<object[]>('webhooks', 'list')).length === 1);
  await user.run(['agent', 'run', '--directory', 'device'], { input: detection(1) });
  expect(await once(listening, 'close')).toEqual([0, null]);
  expect(await user.json<object[]>('webhooks', 'list')).toEqual([]);
});

test.each([
  ['', 0, { installation: 'ok', store: 'warn', 'secret key': 'warn' }],
  ['c2hvcnQ=', 1, { configuration: 'fail' }],
])('doctor reports why a service cannot start, and creates no store: key %j', async (key, code, states) => {
  const user = createTpsUser();
  const settings = `SERVICE_DATABASE_URL=sqlite:./none.db\nSERVICE_SECRET_KEY_B64=${key}\n`;
  await writeFile(join(user.directory, 'tps.env'), settings, { mode: 0o600 });
  const doctor = await user.spawn(['doctor', '--json']);
  expect(doctor.code, doctor.stderr).toBe(code);
  const { findings } = JSON.parse(doctor.stdout) as { findings: { check: string; state: string }[] };
  expect(Object.fromEntries(findings.map(({ check, state }) => [check, state]))).toMatchObject(states);
  expect(await readdir(user.directory)).not.toContain('none.db');
});

test('doctor reports no problem for a working service, and exits with 1 without one', async () => {
  const user = await loggedIn();
  const well = await user.json<{ ok: boolean; findings: { check: string; state: string }[] }>('doctor');
  expect(well.ok).toBe(true);
  expect(well.findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  expect(well.findings.map(({ check }) => check)).toContain('credential');
  const env = { TPS_URL: 'http://127.0.0.1:1', TPS_CREDENTIAL: 'svc_test_x' };
  const gone = await user.run(['doctor'], { env });
  expect(gone).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('http://127.0.0.1:1 does not respond'),
  });
  expect(gone.stdout).not.toContain('svc_test_x');
});
