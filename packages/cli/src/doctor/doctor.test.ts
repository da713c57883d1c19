import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../run.ts';
import { createTestContext } from '../testing/test-context.ts';
import { checkCredential } from './check-credential.ts';
import { checkNode, checkProfiles } from './check-machine.ts';
import { checkOperator } from './check-operator.ts';
import type { CheckResult } from './check-result.ts';
import { checkService } from './check-service.ts';
import { issueCertificate } from './testing/issue-certificate.ts';

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

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tps-doctor-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

const statesOf = (findings: readonly CheckResult[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]));

test('a service that is ready and whose clock agrees passes', async () => {
  const url = await startServer(answer(200, ready));
  expect(statesOf(await checkService(url, Date.now()))).toEqual({ service: 'ok', clock: 'ok' });
});

test.each([
  [3_000, 'ok'],
  [20_000, 'warn'],
  [-20_000, 'warn'],
  [90_000, 'fail'],
  [-90_000, 'fail'],
])('a clock that is %i ms off is found: %s', async (offMs, state) => {
  const date = new Date(Date.now() + offMs).toUTCString();
  const url = await startServer(answer(200, ready, { date }));
  expect(statesOf(await checkService(url, Date.now()))).toEqual({ service: 'ok', clock: state });
});

test('a service that is not there, not ready, or something else is found', async () => {
  const gone = await startServer(answer(200, ready));
  const [unreachable] = await checkService(gone.replace(/\d+$/, '1'), Date.now());
  expect(unreachable).toMatchObject({
    check: 'service',
    state: 'fail',
    mend: expect.stringContaining('tps serve'),
  });
  const stopping = await startServer(answer(503, { error: { message: 'The service is stopping' } }));
  const [notReady] = await checkService(stopping, Date.now());
  expect(notReady?.message).toContain('The service is stopping');
  const other = await startServer(answer(200, { hello: 'world' }));
  expect(statesOf(await checkService(other, Date.now())).service).toBe('fail');
});

test('a certificate that has ended, ends soon, is for another name or from nobody known is found', async () => {
  const check = async (pair: { key: string; cert: string }) => {
    const url = await startServer(answer(200, ready), pair);
    return statesOf(await checkService(url, Date.now()));
  };
  expect(await check(issueCertificate())).toEqual({
    'tls validity': 'ok',
    'tls trust': 'fail',
    'tls name': 'ok',
  });
  expect(await check(issueCertificate({ days: -1 }))).toMatchObject({ 'tls validity': 'fail' });
  expect(await check(issueCertificate({ days: 5 }))).toMatchObject({ 'tls validity': 'warn' });
  expect(await check(issueCertificate({ names: 'DNS:other.test' }))).toMatchObject({ 'tls name': 'fail' });
  const plain = await startServer(answer(200, ready));
  expect(statesOf(await checkService(plain.replace('http:', 'https:'), Date.now()))).toEqual({ tls: 'fail' });
});

test('a credential that the service does not know is found, and one that may not read everything is named', async () => {
  const speak = async (listener: RequestListener) =>
    checkCredential({
      url: await startServer(listener),
      credential: 'svc_x',
      tenant: undefined,
      version: '1.2.3',
    });
  const unknown = await speak(answer(401, { error: { code: 'invalid_credentials' } }));
  expect(statesOf(unknown)).toEqual({ credential: 'fail' });
  const operator = await speak(answer(400, { error: { code: 'tenant_required' } }));
  expect(operator[0]?.mend).toContain('--tenant');
  const partial = await speak((request, response) => {
    const status = request.url === '/status' ? 200 : 403;
    answer(status, { version: '1.3.0' })(request, response);
  });
  expect(statesOf(partial)).toEqual({ credential: 'ok', version: 'warn' });
  expect(partial[0]?.message).toContain('Valid for status:read; it lacks events:read');
  expect(JSON.stringify([unknown, operator, partial])).not.toContain('svc_x');
});

test('profiles that others can read are found, with the command that mends it', async () => {
  const home = await newDirectory();
  await mkdir(join(home, 'tps'));
  const path = join(home, 'tps', 'config.json');
  await writeFile(path, '{"profiles":{}}');
  await chmod(path, 0o644);
  const found = await checkProfiles({ XDG_CONFIG_HOME: home });
  expect(found).toMatchObject({ state: 'fail', message: expect.stringContaining(`chmod 600 ${path}`) });
  await chmod(path, 0o600);
  expect((await checkProfiles({ XDG_CONFIG_HOME: home })).state).toBe('ok');
});

test('a Node that is too old is found', () => {
  expect(['v18.20.0', 'v20.18.1', 'v20.19.0', 'v24.1.0'].map((version) => checkNode(version).state)).toEqual([
    'fail',
    'fail',
    'ok',
    'ok',
  ]);
});

test('settings and a key that others can read are found, beside the end of a certificate', async () => {
  const directory = await newDirectory();
  const { cert, key } = issueCertificate({ days: 90 });
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
  expect(findings.map(({ mend }) => mend).join()).toContain(`chmod 600 ${join(directory, 'tps.env')}`);
});

test('no credential is sent to what is no service, and the exit code tells that something failed', async () => {
  const seen: unknown[] = [];
  const url = await startServer((request, response) => {
    seen.push(request.headers.authorization);
    answer(200, { hello: 'world' })(request, response);
  });
  const home = await newDirectory();
  const { context, stdout } = createTestContext({
    env: { HOME: home, TPS_URL: url, TPS_CREDENTIAL: 'svc_test_x' },
    directory: home,
  });
  expect(await run(['doctor'], context)).toBe(1);
  expect(stdout()).toContain('fail  service');
  expect(seen).toEqual([undefined]);
});

test('where there are no settings, nothing is said of a store', async () => {
  const context = { env: {}, directory: await newDirectory() } as unknown as Parameters<
    typeof checkOperator
  >[0];
  expect(await checkOperator(context, Date.now())).toEqual([]);
});
