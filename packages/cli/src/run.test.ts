import { readFileSync } from 'node:fs';
import { createTestContext } from '@tps/testing/tps';
import { expect, test } from 'vitest';
import { run } from './run.ts';

async function tps(args: string[], options: Parameters<typeof createTestContext>[0] = {}) {
  // Without the profiles of the person who runs the tests.
  const env = { XDG_CONFIG_HOME: '/nonexistent', ...options.env };
  const { context, stdout, stderr } = createTestContext({ ...options, env });
  return { code: await run(args, context), stdout: stdout(), stderr: stderr() };
}

test('help and version succeed, a group without a command is a usage error', async () => {
  expect(await tps(['--help'])).toMatchObject({ code: 0, stderr: '' });
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  expect(await tps(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(await tps(['incidents'])).toMatchObject({ code: 2, stdout: '' });
});

test('a mistyped command or option gets a suggestion', async () => {
  expect(await tps(['incidnets', 'list'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('incidents'),
  });
  expect(await tps(['incidents', 'lsit'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('mean list'),
  });
  expect(await tps(['alerts', 'list', '--sevrity', 'low'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--severity'),
  });
});

test.each([
  [['help', 'incident'], "unknown command 'incident'\n(Did you mean incidents?)"],
  [['incident', '--help'], "unknown command 'incident'\n(Did you mean incidents?)"],
  [['help', 'incidents', 'lst'], "unknown command 'lst'\n(Did you mean list?)"],
  [['incidents', 'lst', '-h'], "unknown command 'lst'\n(Did you mean list?)"],
  [['help', 'serv'], "unknown command 'serv'\n(Did you mean serve?)"],
])('help for a command that does not exist suggests another: %j', async (args, message) => {
  expect(await tps(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

test.each([
  [['help'], 'Usage: tps [options] [command]'],
  [['help', 'incidents'], 'Usage: tps incidents [options] [command]'],
  [['help', 'incidents', 'list'], 'Usage: tps incidents list [options]'],
  [['help', 'webhooks', 'dlq', 'replay'], 'Usage: tps webhooks dlq replay [options]'],
  [['help', 'incidents', 'show', 'inc_1'], 'Usage: tps incidents show [options]'],
  [['incidents', 'show', 'inc_1', '--help'], 'Usage: tps incidents show [options]'],
  [['help', 'tenants', 'create'], 'Usage: tps tenants create [options]'],
])('help for a command is that of the command: %j', async (args, usage) => {
  const { code, stdout, stderr } = await tps(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain(usage);
});

test.each([
  [['webhooks', 'create', '--url', 'https://example.com/hooks']],
  [['webhooks', 'create', '--url']],
  [['webhooks', 'add', '--url=https://example.com/hooks', '--json']],
])('the URL of a webhook in --url gets a hint: %j', async (args) => {
  const { code, stderr } = await tps(args);
  expect(code).toBe(2);
  expect(stderr).toContain('--url is the URL of the service. The URL of a webhook is an argument');
});

test.each([
  [
    ['incidents', 'show', 'evt_0'],
    'evt_0 is the id of an event, not of an incident. Run: tps events show evt_0',
  ],
  [['webhooks', 'dlq', 'replay', 'dlv_0'], 'dlv_0 is the id of a delivery, not of a dead letter.'],
  [['events', 'show', 'cli_0'], 'an OAuth client, not of an event. Run: tps oauth-clients get cli_0'],
  [['incidents', 'bulk', 'inc_0', 'alr_0'], 'Run: tps alerts show alr_0'],
  [['guidance', 'show', 'nch_0'], 'Run: tps notices channels show nch_0'],
  [
    ['tokens', 'revoke', 'whk_0'],
    'whk_0 is the id of a webhook, not of a token. Run: tps webhooks show whk_0',
  ],
])('an id of another kind is refused with the command for it: %j', async (args, message) => {
  const { code, stderr } = await tps(args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

test('an unknown value is rejected before a request is sent', async () => {
  const { code, stderr } = await tps(['alerts', 'list', '--severity', 'severe']);
  expect(code).toBe(2);
  expect(stderr).toContain('low, medium, high, critical');
});

test('a missing service or credential is an error that says how to set it', async () => {
  expect(await tps(['status'])).toMatchObject({ code: 2, stderr: expect.stringContaining('tps login') });
  const env = { TPS_URL: 'http://127.0.0.1:1' };
  expect(await tps(['status'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('TPS_CREDENTIAL'),
  });
});

test('an error is one line, and a document with --json', async () => {
  expect((await tps(['status'])).stderr).toMatch(/^tps: .* \(usage\)\n$/);
  const { error } = JSON.parse((await tps(['status', '--json'])).stderr);
  expect(error).toMatchObject({ code: 'usage', exit_code: 2 });
});

test.each([
  [['alerts', 'list', '--severity', 'severe'], 'low, medium, high, critical'],
  [['alerts', 'lsit'], 'lsit'],
  [['alerts'], 'A command is required'],
])('a usage error is a document with --json: %j', async (args, message) => {
  const { code, stderr } = await tps([...args, '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message),
  });
});

test('--json and --ndjson cannot be combined', async () => {
  expect(await tps(['status', '--json', '--ndjson'])).toMatchObject({ code: 2 });
});

test('an unreachable service has its own exit code', async () => {
  const env = { TPS_URL: 'http://127.0.0.1:1', TPS_CREDENTIAL: 'x' };
  expect(await tps(['login', 'http://127.0.0.1:1'], { env })).toMatchObject({ code: 5 });
});
