import { SCOPES } from '@tps/contract';
import { runCommand, spawnService } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { readJson } from './read-api.ts';

/** Starts a service. Returns the command line that works on the same store at the same time. */
async function startBeside() {
  const store = await createTestStore('empty');
  onTestFinished(store.drop);
  const env = { SERVICE_DATABASE_URL: store.url };
  const service = await spawnService({ env });
  const run = (...args: string[]) => runCommand(args, env);
  const runWell = async (...args: string[]) => {
    const { code, output } = await run(...args);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
    return output.trim().split('\n');
  };
  const statusOf = async (credential: string, query = '') => {
    const headers = { authorization: `Bearer ${credential}` };
    return (await fetch(`${service.baseUrl}/status${query}`, { headers })).status;
  };
  const listTenants = async () => {
    const [, ...rows] = await runWell('tenants', 'list');
    return rows.map((row) => row.split(' ')[0]);
  };
  return { service, run, runWell, listTenants, statusOf };
}

test('tenants are created, listed and limited while the service runs', async () => {
  const { service, runWell, listTenants, statusOf } = await startBeside();
  const { tenantId: first } = service.credentials();
  const [made = ''] = await runWell('tenants', 'create', 'Example Ltd', '--test');
  expect(made).toMatch(/^tnt_[a-z0-9]+$/);
  expect(await listTenants()).toEqual([first, made]);

  const [, credential = ''] = await runWell('tokens', 'create', '--tenant', made, '--name', 'reader');
  expect(credential).toMatch(/^svc_test_/);
  await runWell('tenants', 'set-limit', made, '2');
  const statuses = [await statusOf(credential), await statusOf(credential), await statusOf(credential)];
  expect(statuses).toEqual([200, 200, 429]);
  await runWell('tenants', 'set-limit', made, 'default');
  expect(await statusOf(credential)).toBe(200);
});

test('a credential has the scopes it was created with, until it expires', async () => {
  const { service, runWell, statusOf } = await startBeside();
  const { tenantId, admin } = service.credentials();
  const create = (...more: string[]) =>
    runWell('tokens', 'create', '--tenant', tenantId, '--name', 'x', ...more);
  const expiresAtMs = Date.now() + 8_000;
  const [tokenId = '', narrow = ''] = await create(
    ...['--scopes', 'events:read, alerts:read,events:read', '--expires', new Date(expiresAtMs).toISOString()],
  );
  const record = await readJson<object>(service.baseUrl, `/tokens/${tokenId}`, admin);
  expect(record).toMatchObject({
    name: 'x',
    scopes: ['events:read', 'alerts:read'],
    environment: 'live',
    expires_at: new Date(expiresAtMs).toISOString(),
  });
  expect(await statusOf(narrow)).toBe(403);
  await waitUntil(async () => (await statusOf(narrow)) === 401);
  expect(Date.now()).toBeGreaterThanOrEqual(expiresAtMs);

  const [dayId = ''] = await create('--expires', '24h');
  const day = await readJson<{ expires_at: string }>(service.baseUrl, `/tokens/${dayId}`, admin);
  expect(Date.parse(day.expires_at) - Date.now()).toBeGreaterThan(86_000_000);

  const [allId = '', all = ''] = await create();
  expect(await statusOf(all)).toBe(200);
  const whole = await readJson<{ scopes: string[] }>(service.baseUrl, `/tokens/${allId}`, admin);
  expect(whole.scopes.toSorted()).toEqual([...SCOPES].sort());
});

test('a request with an operator credential must name the tenant', async () => {
  const { service, runWell, statusOf } = await startBeside();
  const { tenantId } = service.credentials();
  const [, operator = ''] = await runWell('tokens', 'create', '--operator', '--name', 'night shift');
  expect(await statusOf(operator)).toBe(400);
  expect(await statusOf(operator, `?tenant_id=${tenantId}`)).toBe(200);
});

test('a command that fails prints one sentence, exits with 1, and changes nothing', async () => {
  const { service, run, listTenants } = await startBeside();
  const { tenantId, admin } = service.credentials();
  const onTenant = ['tokens', 'create', '--tenant', tenantId, '--name'];
  const faults: [string[], RegExp][] = [
    [['tenants', 'set-limit', 'tnt_unknown', '5'], /No such tenant/],
    [['tenants', 'set-limit', tenantId, '0'], /whole number/],
    [['tenants', 'set-limit', tenantId, 'many'], /whole number/],
    [['tenants', 'set-limit', tenantId, '1000001'], /whole number/],
    [['tenants', 'create'], /missing required argument 'name'/],
    [['tenants', 'create', ''], /1 to 200 characters/],
    [['tenants', 'create', 'a\nb'], /1 to 200 characters/],
    [['tokens', 'create', '--tenant', 'tnt_unknown', '--name', 'x'], /No such tenant/],
    [['tokens', 'create', '--name', 'x'], /either --tenant or --operator/],
    [
      ['tokens', 'create', '--tenant', tenantId, '--operator', '--name', 'x'],
      /either --tenant or --operator/,
    ],
    [['tokens', 'create', '--tenant', tenantId], /--name/],
    [[...onTenant, 'x'.repeat(201)], /1 to 200 characters/],
    [[...onTenant, 'x', '--scopes', 'events:read,nonsense'], /Unknown scope nonsense.*events:read/],
    [[...onTenant, 'x', '--scopes', ''], /Unknown scope/],
    [[...onTenant, 'x', '--expires', '2020-01-01T00:00:00Z'], /RFC 3339 time in the future/],
    [[...onTenant, 'x', '--expires', 'tomorrow'], /RFC 3339 time in the future/],
    [['tennants', 'list'], /unknown command 'tennants'/],
    [['tenants', 'list', '--loud'], /--loud/],
  ];
  for (const [args, message] of faults) {
    const { code, output } = await run(...args);
    expect(output, args.join(' ')).toMatch(message);
    expect(output, args.join(' ')).not.toMatch(/^ +at /m);
    expect(output, args.join(' ')).not.toMatch(/svc_(live|test)_/);
    expect(code, args.join(' ')).toBe(/No such tenant/.test(output) ? 1 : 2);
  }
  expect(await listTenants()).toEqual([tenantId]);
  const tokens = await readJson<{ data: object[] }>(service.baseUrl, '/tokens', admin);
  expect(tokens.data).toHaveLength(1);
});
