import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { newFolder } from '@tps/testing/fixture';
import { issueSelfSigned } from '@tps/testing/network';
import { createTestContext } from '@tps/testing/tps';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../run.ts';
import { checkCredential } from './check-credential.ts';
import { checkNode, checkProfiles } from './check-machine.ts';
import { checkOperator } from './check-operator.ts';
import type { CheckResult } from './check-result.ts';
import { checkService } from './check-service.ts';

const DAY_MS = 86_400_000;

const answer =
  (status: number, body: object, headers = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
const ready = { status: 'ready' };

async function startServer(listener: RequestListener, pair?: { key: string; cert: string }): Promise<string> {
  const server = pair ? createTlsServer(pair, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `${pair ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const statesOf = (findings: readonly CheckResult[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]));

test('a ready service with the same time passes', async () => {
  const url = await startServer(answer(200, ready));
  expect(statesOf(await checkService(url, Date.now()))).toEqual({ service: 'ok', clock: 'ok' });
});

test.each([
  [3_000, 'ok'],
  [20_000, 'warn'],
  [-20_000, 'warn'],
  [90_000, 'fail'],
  [-90_000, 'fail'],
])('a clock that is %i ms off is reported as %s', async (offMs, state) => {
  const date = new Date(Date.now() + offMs).toUTCString();
  const url = await startServer(answer(200, ready, { date }));
  expect(statesOf(await checkService(url, Date.now()))).toEqual({ service: 'ok', clock: state });
});

test('an unreachable service, one that is not ready, and another server fail', async () => {
  const gone = await startServer(answer(200, ready));
  const [unreachable] = await checkService(gone.replace(/\d+$/, '1'), Date.now());
  expect(unreachable).toMatchObject({
    check: 'service',
    state: 'fail',
    fix: expect.stringContaining('tps serve'),
  });
  const stopping = await startServer(answer(503, { error: { message: 'The service is stopping' } }));
  const [notReady] = await checkService(stopping, Date.now());
  expect(notReady?.message).toContain('The service is stopping');
  const other = await startServer(answer(200, { hello: 'world' }));
  expect(statesOf(await checkService(other, Date.now())).service).toBe('fail');
});

test('a certificate that is expired, expires soon, has another name or is untrusted is reported', async () => {
  const check = async (pair: { key: string; cert: string }) => {
    const url = await startServer(answer(200, ready), pair);
    return statesOf(await checkService(url, Date.now()));
  };
  expect(await check(issueSelfSigned())).toEqual({
    'tls validity': 'ok',
    'tls trust': 'fail',
    'tls name': 'ok',
  });
  expect(await check(issueSelfSigned({ days: -1 }))).toMatchObject({ 'tls validity': 'fail' });
  expect(await check(issueSelfSigned({ days: 5 }))).toMatchObject({ 'tls validity': 'warn' });
  expect(await check(issueSelfSigned({ names: 'DNS:other.test' }))).toMatchObject({ 'tls name': 'fail' });
  const plain = await startServer(answer(200, ready));
  expect(statesOf(await checkService(plain.replace('http:', 'https:'), Date.now()))).toEqual({ tls: 'fail' });
});

test('an unknown credential fails, and missing scopes are listed', async () => {
  const check = async (listener: RequestListener) =>
    checkCredential({
      url: await startServer(listener),
      credential: 'svc_x',
      tenant: undefined,
      version: '1.2.3',
    });
  const unknown = await check(answer(401, { error: { code: 'invalid_credentials' } }));
  expect(statesOf(unknown)).toEqual({ credential: 'fail' });
  const operator = await check(answer(400, { error: { code: 'tenant_required' } }));
  expect(operator[0]?.fix).toContain('--tenant');
  const partial = await check((request, response) => {
    const status = request.url === '/status' ? 200 : 403;
    answer(status, { version: '1.3.0' })(request, response);
  });
  expect(statesOf(partial)).toEqual({ credential: 'ok', version: 'warn' });
  expect(partial[0]?.message).toContain('Scopes: status:read; missing: events:read');
  expect(JSON.stringify([unknown, operator, partial])).not.toContain('svc_x');
});

test('profiles that other users can read fail with the command that fixes them', async () => {
  const home = newFolder();
  await mkdir(join(home, 'tps'));
  const path = join(home, 'tps', 'config.json');
  await writeFile(path, '{"profiles":{}}');
  await chmod(path, 0o644);
  const found = await checkProfiles({ XDG_CONFIG_HOME: home });
  expect(found).toMatchObject({ state: 'fail', message: expect.stringContaining(`chmod 600 ${path}`) });
  await chmod(path, 0o600);
  expect((await checkProfiles({ XDG_CONFIG_HOME: home })).state).toBe('ok');
});

test('a Node version that is too old fails', () => {
  expect(['v20.19.0', 'v22.17.1', 'v22.18.0', 'v24.1.0'].map((version) => checkNode(version).state)).toEqual([
    'fail',
    'fail',
    'ok',
    'ok',
  ]);
});

test('settings and keys that other users can read fail, and so does an expired certificate', async () => {
  const directory = newFolder();
  const { cert, key } = issueSelfSigned({ days: 90 });
  await writeFile(join(directory, 'tls.crt'), cert);
  await writeFile(join(directory, 'tls.key'), key, { mode: 0o644 });
  const settings = [
    'SERVICE_DATABASE_URL=sqlite:./none.db',
    'SERVICE_TLS_CERT_FILE=tls.crt',
    'SERVICE_TLS_KEY_FILE=tls.key',
  ];
  await writeFile(join(directory, 'tps.env'), settings.join('\n'), { mode: 0o644 });
  const context = { env: {}, directory } as unknown as Parameters<typeof checkOperator>[0];
  const findings = await checkOperator(context, Date.now() + 100 * DAY_MS);
  expect(statesOf(findings)).toMatchObject({
    'settings file': 'fail',
    'tls certificate file': 'fail',
    'tls key file': 'fail',
  });
  expect(findings.map(({ fix }) => fix).join()).toContain(`chmod 600 ${join(directory, 'tps.env')}`);
});

test('no credential is sent to another server, and the exit code is 1', async () => {
  const seen: unknown[] = [];
  const url = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    answer(200, { hello: 'world' })(request, response);
  });
  const home = newFolder();
  const { context, stdout } = createTestContext({
    env: { HOME: home, TPS_URL: url, TPS_CREDENTIAL: 'svc_test_x' },
    directory: home,
  });
  expect(await run(['doctor'], context)).toBe(1);
  expect(stdout()).toContain('fail  service');
  expect(seen).toEqual([undefined]);
});

test('without settings the store is not checked', async () => {
  const context = { env: {}, directory: newFolder() } as unknown as Parameters<typeof checkOperator>[0];
  expect(await checkOperator(context, Date.now())).toEqual([]);
});
