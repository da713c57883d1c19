import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Device, Event, EventContext } from '@tps/contract';
import { createTestEnrolment } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { startTcpRelay } from '@tps/testing/network';
import { useReceivers } from '@tps/testing/receiver';
import { useTestService } from '@tps/testing/service';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/python-device');
const PYTHON = '/usr/bin/python3';
/** Why the program cannot run here; undefined where it can. */
const PROBLEM = findProblem();

const startReceiver = useReceivers();
const service = useTestService();

function findProblem(): string | undefined {
  const { status, stderr } = spawnSync(PYTHON, ['-c', 'import cryptography'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const reason = stderr?.trim().split('\n').at(-1) ?? `no ${PYTHON}`;
  return `Python's cryptography is not installed: ${reason} (Debian: apt-get install python3-cryptography)`;
}

/** A test that is skipped where Python or its package is missing, or fails if `REQUIRE_PYTHON` is 1. */
function withPython(title: string, work: () => Promise<void>): void {
  test(title, async ({ skip }) => {
    if (PROBLEM !== undefined && process.env.REQUIRE_PYTHON === '1') throw new Error(PROBLEM);
    if (PROBLEM !== undefined) skip(PROBLEM);
    await work();
  });
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

function runPython(args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Run> {
  const child = spawn(PYTHON, [...args], {
    cwd: EXAMPLE,
    env: { PYTHONDONTWRITEBYTECODE: '1', TPS_ATTEMPTS: '2', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

interface State {
  device_id: string;
  key: string;
  base_url: string;
  next_key?: string;
  clock_ahead_s: number;
  sealed: unknown[];
  waiting: unknown[];
  credential: { token: string };
}

/** A device that the Python program enrols, and the service behind a relay. */
async function enrolDevice() {
  const relay = await startTcpRelay(Number(new URL(service.baseUrl).port));
  onTestFinished(() => relay.cut());
  const { secret } = await createTestEnrolment(service, { max_uses: 1 });
  const folder = newFolder();
  const file = join(folder, 'state.json');
  const env = {
    TPS_URL: `http://127.0.0.1:${relay.port}`,
    TPS_TENANT: service.tenant.tenantId,
    TPS_ENROLMENT_SECRET: secret,
  };
  const run = (command: string, ...options: string[]) =>
    runPython(['device.py', command, folder, ...options], env);
  const enrolled = await run('enrol');
  expect(enrolled).toEqual({ code: 0, output: expect.stringMatching(/^enrolled dev_\w+\n$/) });
  const state = () => JSON.parse(readFileSync(file, 'utf8')) as State;
  const deviceId = state().device_id;
  return {
    relay,
    run,
    runWithOneAttempt: (command: string, ...options: string[]) =>
      runPython(['device.py', command, folder, ...options], { ...env, TPS_ATTEMPTS: '1' }),
    state,
    deviceId,
    change: (members: Partial<State>) => writeFileSync(file, JSON.stringify({ ...state(), ...members })),
    sendLines: (...lines: string[]) => runPython(['device.py', 'send', folder], env, lines.join('')),
    send: (...descriptions: string[]) =>
      runPython(['device.py', 'send', folder], env, descriptions.map(toLine).join('')),
    async stored(): Promise<Event[]> {
      const { credential } = service.tenant;
      const { body } = await service.client.send('GET', `/events?device_id=${deviceId}`, { credential });
      return (body as { data: Event[] }).data;
    },
  };
}

function toLine(description: string): string {
  const decision = { threat_category: 'phishing', confidence: 0.97, action_taken: 'block', severity: 'high' };
  return `${JSON.stringify({ ...decision, policy_id: 'pol_example', description })}\n`;
}

async function read<Body>(path: string): Promise<Body> {
  return (await service.client.send('GET', path, { credential: service.tenant.credential })).body as Body;
}

withPython('the Python program passes the vectors', async () => {
  const { code, output } = await runPython(['check_vectors.py', join(ROOT, 'docs/signing-vectors.json')]);
  expect(output).toMatch(/^canonical JSON: 14 checked$/m);
  expect(code, output).toBe(0);
});

withPython('the Python device sends events, rotates, renews and updates in one unbroken chain', async () => {
  const device = await enrolDevice();
  expect((await device.run('enrol')).output).toBe(`enrolled ${device.deviceId}\n`);

  expect(await device.send('größer als 100 €, from anna@mail.example')).toEqual({
    code: 0,
    output: expect.stringMatching(/^stored evt_\w+\n$/),
  });
  const batch = await device.send('one', 'two', 'three');
  expect(batch.output.match(/^stored/gm)).toHaveLength(3);

  const before = device.state();
  expect(await device.run('rotate')).toEqual({ code: 0, output: '' });
  const { public_key_b64 } = await read<Device>(`/devices/${device.deviceId}`);
  expect((await device.send('with the next key')).code).toBe(0);
  // As after a rotation without an answer: the program still has the earlier key, and the next one.
  device.change({ key: before.key, next_key: device.state().key });
  expect((await device.send('after a lost answer')).code).toBe(0);
  expect((await read<Device>(`/devices/${device.deviceId}`)).public_key_b64).toBe(public_key_b64);

  expect(await device.run('renew')).toEqual({ code: 0, output: '' });
  expect(device.state().credential).toEqual(before.credential);
  expect(await device.run('renew', '--now')).toEqual({ code: 0, output: '' });
  expect(device.state().credential.token).not.toBe(before.credential.token);
  expect((await device.send('with the next credential')).code).toBe(0);

  const events = await device.stored();
  expect(events.map(({ description }) => description)).toEqual([
    'größer als 100 €, from [email]',
    ...['one', 'two', 'three', 'with the next key', 'after a lost answer', 'with the next credential'],
  ]);
  for (const { event_id } of events) {
    const { device_chain } = await read<EventContext>(`/events/${event_id}/context`);
    expect(device_chain.state).toBe('linked');
  }
});

withPython('the Python device keeps events while there is no answer, and sends them once', async () => {
  const device = await enrolDevice();
  await device.relay.cut();
  const cut = await device.send('one', 'two');
  expect(cut).toEqual({ code: 1, output: 'Not done, try again later: no answer\n' });
  expect(device.state().sealed).toHaveLength(2);
  await device.relay.restore();
  expect((await device.send()).output.match(/^stored/gm)).toHaveLength(2);
  expect(device.state()).toMatchObject({ sealed: [], waiting: [] });
  expect(await device.stored()).toHaveLength(2);
});

withPython('the Python device refuses a line that cannot be sent, and sends the others', async () => {
  const device = await enrolDevice();
  const lines = [
    '{"metadata":{"id":9007199254740993}}',
    `{"metadata":{"id":1${'0'.repeat(400)}}}`,
    '{"confidence":NaN}',
    '{"confidence":-Infinity}',
    '{"description":"\\ud800"}',
    '{"metadata":{"\\ud800":1}}',
    '["no object"]',
    '{"description":',
  ];
  const mixed = await device.sendLines(
    toLine('before'),
    ...lines.map((line) => `${line}\n`),
    toLine('after'),
  );
  expect(mixed.code, mixed.output).toBe(2);
  expect(mixed.output.match(/^stored/gm)).toHaveLength(2);
  expect([...mixed.output.matchAll(/^Line (\d): (.*)$/gm)].map(([, line]) => line)).toEqual([...'23456789']);
  expect(mixed.output).toContain(
    'Line 2: not sent: 9007199254740993 is beyond ±(2^53 − 1): send it as a string\n',
  );
  expect(device.state()).toMatchObject({ sealed: [], waiting: [] });
  expect((await device.stored()).map(({ description }) => description)).toEqual(['before', 'after']);
});

withPython('the Python device keeps events that arrived at a proxy without TLS', async () => {
  const device = await enrolDevice();
  const error = { code: 'plaintext_rejected', message: 'Use HTTPS', status: 400 };
  const proxy = await startReceiver({ respond: { status: 400, body: JSON.stringify({ error }) } });
  const { base_url } = device.state();
  device.change({ base_url: new URL(proxy.url).origin });
  expect(await device.send('first', 'second')).toEqual({
    code: 1,
    output: 'Not done, try again later: 400 plaintext_rejected: Use HTTPS\n',
  });
  device.change({ base_url });
  expect((await device.send()).output).toMatch(/^(stored evt_\w+\n){2}$/);
});

withPython('the Python device with a wrong clock signs with the time of the service', async () => {
  const device = await enrolDevice();
  device.change({ clock_ahead_s: 7200 });
  expect((await device.send('dated two hours ago')).output).toMatch(/^stored evt_\w+\n$/);
  expect(Math.abs(device.state().clock_ahead_s)).toBeLessThan(300);

  device.change({ clock_ahead_s: 7200 });
  expect(await device.runWithOneAttempt('renew', '--now')).toEqual({ code: 0, output: '' });
});

withPython('the Python device reads policies and signed indicators, and trusts no other key', async () => {
  const device = await enrolDevice();
  const { credential } = service.tenant;
  const indicator = { type: 'domain', value: 'parcel-desk.example', category: 'phishing', confidence: 0.9 };
  const body = { source: 'own', indicators: [{ ...indicator, threat_type: 'delivery_scam' }] };
  expect((await service.client.send('POST', '/indicators', { credential, body })).status).toBe(200);
  expect(await device.run('updates')).toEqual({
    code: 0,
    output: expect.stringMatching(/^policies: \d+\ngroups of indicators: 1\n$/),
  });
  expect((await device.run('updates')).output).toBe('nothing has changed\n');

  const { public_key_b64 } = await read<Device>(`/devices/${device.deviceId}`);
  device.change({ updates: { bundle_keys: [public_key_b64] } } as Partial<State>);
  expect(await device.run('updates')).toEqual({
    code: 1,
    output:
      'Not done, try again later: the indicators were not accepted: no trusted key has signed the bundle\n',
  });
});

withPython('the Python device stops when it learns that it is revoked', async () => {
  const device = await enrolDevice();
  const { credential } = service.tenant;
  const body = { status: 'revoked' };
  await service.client.send('PATCH', `/devices/${device.deviceId}`, { credential, body });
  // Its credential has ended with it. A credential that is not valid does not show why.
  expect(await device.send('too late')).toEqual({
    code: 1,
    output: 'Not done, try again later: 401 invalid_credentials: The credential is not valid\n',
  });
  expect(await device.run('enrol')).toEqual({
    code: 3,
    output: 'The device must stop: The device is revoked\n',
  });
});
