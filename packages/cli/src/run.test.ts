import { expect, test } from 'vitest';
import { run } from './run.ts';
import { createTestContext } from './testing/test-context.ts';

async function tps(args: string[], surroundings: Parameters<typeof createTestContext>[0] = {}) {
  // No profile of whoever runs the tests.
  const env = { XDG_CONFIG_HOME: '/nonexistent', ...surroundings.env };
  const { context, stdout, stderr } = createTestContext({ ...surroundings, env });
  return { code: await run(args, context), stdout: stdout(), stderr: stderr() };
}

test('help and version are answers, a command without its subcommand is a wrong use', async () => {
  expect(await tps(['--help'])).toMatchObject({ code: 0, stderr: '' });
  expect(await tps(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  expect(await tps(['incidents'])).toMatchObject({ code: 2, stdout: '' });
});

test('a mistyped command or option suggests the one that was meant', async () => {
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

test('a value that is none of the known ones is refused before anything is sent', async () => {
  const { code, stderr } = await tps(['alerts', 'list', '--severity', 'grave']);
  expect(code).toBe(2);
  expect(stderr).toContain('low, medium, high, critical');
});

test('without a service or a credential the command says how to name one', async () => {
  expect(await tps(['status'])).toMatchObject({ code: 2, stderr: expect.stringContaining('tps login') });
  const env = { TPS_URL: 'http://127.0.0.1:1' };
  expect(await tps(['status'], { env })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('TPS_CREDENTIAL'),
  });
});

test('a failure is one line for people and a document for programs', async () => {
  expect((await tps(['status'])).stderr).toMatch(/^tps: .* \(usage\)\n$/);
  const { error } = JSON.parse((await tps(['status', '--json'])).stderr);
  expect(error).toMatchObject({ code: 'usage', exit_code: 2 });
});

test.each([
  [['alerts', 'list', '--severity', 'grave'], 'low, medium, high, critical'],
  [['alerts', 'lsit'], 'lsit'],
  [['alerts'], 'Which command?'],
])('what is typed wrongly is a document, too: %j', async (args, message) => {
  const { code, stderr } = await tps([...args, '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message),
  });
});

test('two formats at once are refused', async () => {
  expect(await tps(['status', '--json', '--ndjson'])).toMatchObject({ code: 2 });
});

test('a service that does not answer is told apart from one that refuses', async () => {
  const env = { TPS_URL: 'http://127.0.0.1:1', TPS_CREDENTIAL: 'x' };
  expect(await tps(['login', 'http://127.0.0.1:1'], { env })).toMatchObject({ code: 5 });
});
