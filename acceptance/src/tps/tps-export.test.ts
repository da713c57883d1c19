import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FROM_SOURCE } from '@tps/testing/process';
import { useReceivers } from '@tps/testing/receiver';
import { useTestService } from '@tps/testing/service';
import { waitUntil } from '@tps/testing/time';
import { createTpsUser, TPS, type TpsUser } from '@tps/testing/tps';
import { expect, test } from 'vitest';

const startReceiver = useReceivers();
const service = useTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '100000' } });

/** More than a page, so that a run has a first and a second one. */
const EVENTS = 120;

/** A person whose tenant has events. */
async function withEvents(): Promise<TpsUser> {
  const user = createTpsUser();
  const { credential } = await service.createTenant();
  await user.run(['login', service.baseUrl], { input: credential });
  await user.runWell('agent', 'enrol', '--directory', 'device', '--platform', 'linux');
  const detection = JSON.stringify({ threatCategory: 'phishing', confidence: 0.97 });
  await writeFile(join(user.directory, 'detections'), Array(EVENTS).fill(detection).join('\n'));
  await user.runWell('agent', 'run', 'detections', '--directory', 'device');
  return user;
}

const curl = (url: string) =>
  `curl -sSf --max-time 30 -H 'content-type: application/x-ndjson' --data-binary @- ${url}`;

const idsIn = (bodies: readonly string[]) =>
  bodies.flatMap((body) =>
    body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event_id as string),
  );

async function feedOf(user: TpsUser): Promise<string[]> {
  return idsIn([await user.runWell('export')]);
}

async function cursorOf(user: TpsUser): Promise<unknown> {
  return JSON.parse(await readFile(join(user.directory, 'cursor'), 'utf8')).cursor;
}

test('events that a receiver refused with 503 reach it through curl, in order', async () => {
  const user = await withEvents();
  const stored: string[] = [];
  const receiver = await startReceiver({
    respond: ({ body }, index) => {
      if (index % 2 === 0) return 503;
      stored.push(body);
      return 200;
    },
  });
  const run = await user.spawn(['export', '--cursor-file', 'cursor', '--to-command', curl(receiver.url)]);
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('tps: The command ended with exit code 22. Retrying.');
  expect(run.stderr).toContain(`${EVENTS} events acknowledged by the command`);
  expect(idsIn(stored)).toEqual(await feedOf(user));
});

test('a receiver that keeps refusing ends the export, and the next run loses nothing', async () => {
  const user = await withEvents();
  const receiver = await startReceiver({ respond: 503 });
  const args = ['export', '--cursor-file', 'cursor', '--to-command', curl(receiver.url)];
  const run = await user.spawn(args);
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('The page is not acknowledged') });
  expect(await cursorOf(user)).toBeNull();
  const refused = receiver.requests.length;
  receiver.respondWith(200);
  expect((await user.spawn(args)).code).toBe(0);
  const bodies = receiver.requests.slice(refused).map(({ body }) => body);
  expect(idsIn(bodies)).toEqual(await feedOf(user));
});

test('an export killed after the receiver had a page sends it again, and loses none', async () => {
  const user = await withEvents();
  const receiver = await startReceiver();
  // Kills `tps`, the parent of the shell, after curl has succeeded and before the cursor moves.
  const andKill = `${curl(receiver.url)} && if [ -e armed ]; then kill -9 $PPID; fi`;
  const args = ['export', '--cursor-file', 'cursor', '--to-command', andKill];
  for (let kill = 0; kill < 2; kill += 1) {
    await writeFile(join(user.directory, 'armed'), '');
    expect((await user.spawn(args)).code).toBeNull();
  }
  await rm(join(user.directory, 'armed'));
  expect((await user.spawn(args)).code).toBe(0);
  const got = idsIn(receiver.requests.map(({ body }) => body));
  const feed = await feedOf(user);
  expect(got).toHaveLength(EVENTS + 200);
  expect([...new Set(got)]).toEqual(feed);
});

test('an export that follows waits for a receiver, and stops while it waits', async () => {
  const user = await withEvents();
  const receiver = await startReceiver({ respond: ({ body }) => (body.includes('late') ? 503 : 200) });
  const stop = new AbortController();
  const following = user.begin(
    ['export', '--follow', '--cursor-file', 'cursor', '--to-command', curl(receiver.url)],
    { signal: stop.signal, env: { PATH: process.env.PATH ?? '' } },
  );
  await waitUntil(() => idsIn(receiver.requests.map(({ body }) => body)).length === EVENTS);
  const late = JSON.stringify({ threatCategory: 'phishing', confidence: 0.97, description: 'late' });
  await user.run(['agent', 'run', '--directory', 'device'], { input: late });
  await waitUntil(() => following.stderr().includes('exit code 22. Retrying.'));
  const before = await cursorOf(user);
  stop.abort();
  expect(await following.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Stopped.') });
  expect(await cursorOf(user)).toBe(before);
});

test.each([
  ['a pipe to head', ' | head -1'],
  ['a file of the shell', ' > events.ndjson'],
])('a cursor file with %s is refused before anything is written', async (_, redirection) => {
  const user = await withEvents();
  const words = [process.execPath, ...FROM_SOURCE, TPS, 'export', '--cursor-file', 'cursor'];
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const script = `{ '${words.join("' '")}'; echo "code $?" >&2; }${redirection}`;
    const options = { cwd: user.directory, env: { PATH: process.env.PATH, HOME: user.directory } };
    execFile('bash', ['-c', script], options, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
  expect(stdout).toBe('');
  expect(stderr).toContain('--cursor-file requires --output or --to-command');
  expect(stderr).toContain('code 2\n');
  await expect(readFile(join(user.directory, 'cursor'))).rejects.toThrow('ENOENT');
});

test('an export to a command continues a cursor file of an earlier export to a pipe', async () => {
  const user = await withEvents();
  const receiver = await startReceiver();
  const position = { cursor: null, output_bytes: null, output: null, events: 0, since: null };
  await writeFile(join(user.directory, 'cursor'), JSON.stringify(position));
  const to = ['--to-command', curl(receiver.url)];
  expect((await user.spawn(['export', '--cursor-file', 'cursor', ...to])).code).toBe(0);
  expect(receiver.requests).toHaveLength(2);
  const toFile = await user.run(['export', '--cursor-file', 'cursor', '--output', 'out']);
  expect(toFile).toMatchObject({ code: 2, stderr: expect.stringContaining('was written to a command') });
  const both = await user.run(['export', '--output', 'out', ...to]);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') });
});
