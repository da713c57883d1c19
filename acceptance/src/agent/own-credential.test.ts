import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type AgentNotice, enrolDevice, openNodeAgent } from '@tps/agent';
import { createTestEnrolment } from '@tps/testing/device';
import { newFolder } from '@tps/testing/fixture';
import { startTestService } from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';

const DAY_MS = 86_400_000;

/** A device that enrolled with a secret, and its agent without background work, beside a service on the same clock. */
async function startScene() {
  const clock = new ManualClock(Date.now());
  const service = await startTestService({ clock });
  onTestFinished(() => service.stop());
  const { secret } = await createTestEnrolment(service, {
    expires_at: new Date(clock.now() + 300 * DAY_MS).toISOString(),
  });
  const directory = join(newFolder(), 'device');
  const notices: AgentNotice[] = [];
  /** The path whose next answers are lost after the service has sent them. */
  const network = { losing: undefined as string | undefined };
  const losingFetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (network.losing !== undefined && String(input).endsWith(network.losing)) throw new TypeError('lost');
    // Node's HTTP server dates its answers by the real clock.
    const headers = new Headers(response.headers);
    headers.set('date', new Date(clock.now()).toUTCString());
    const body = response.status === 304 ? null : await response.arrayBuffer();
    return new Response(body, { status: response.status, headers });
  };
  const enrolment = {
    directory,
    baseUrl: service.baseUrl,
    tenantId: service.tenant.tenantId,
    enrolmentCredential: secret,
    platform: 'linux',
    fetch: losingFetch,
  } as const;
  const { deviceId } = await enrolDevice(enrolment);
  let opened: Agent | undefined;
  const open = async () => {
    await opened?.close();
    opened = await openNodeAgent({
      directory,
      autonomous: false,
      statusEveryHours: 0,
      clock: { nowMs: () => clock.now(), sleep: (ms, signal) => sleep(ms, undefined, { signal }) },
      fetch: losingFetch,
      onNotice: (notice) => notices.push(notice),
    });
    return opened;
  };
  onTestFinished(async () => opened?.close());
  const record = (agent: Agent) => agent.record({ threatCategory: 'phishing', confidence: 0.9 });
  const countEvents = async () => {
    const answer = await service.client.send('GET', '/events?limit=500', service.tenant);
    return (answer.body as { data: unknown[] }).data.length;
  };
  return {
    clock,
    service,
    secret,
    directory,
    deviceId,
    enrolment,
    notices,
    network,
    open,
    record,
    countEvents,
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('an enrolled device uploads with its own credential, which no file holds in plain text', async () => {
  const { open, record, countEvents, directory, secret } = await startScene();
  const agent = await open();
  await record(agent);
  expect(await agent.flush()).toBe(true);
  expect(await countEvents()).toBe(1);
  for (const file of filesBelow(directory)) {
    const content = readFileSync(file, 'latin1');
    expect(content, file).not.toContain('svc_live_');
    expect(content, file).not.toContain(secret);
  }
});

test('the credential is renewed at two thirds of its lifetime, again and again', async () => {
  const { clock, open, record, countEvents, notices } = await startScene();
  const agent = await open();
  const first = agent.health().credential?.expiresAt;
  clock.advance(59 * DAY_MS);
  await agent.flush();
  expect(agent.health().credential?.expiresAt).toBe(first);
  for (const days of [2, 61, 61, 61]) {
    clock.advance(days * DAY_MS);
    await record(agent);
    expect(await agent.flush()).toBe(true);
  }
  const { expiresAt = '' } = agent.health().credential ?? {};
  expect(Date.parse(expiresAt)).toBe(clock.now() + 90 * DAY_MS);
  expect(await countEvents()).toBe(4);
  expect(notices).toEqual([]);
});

test('a renewal whose answer is lost is repeated, also by the next process', async () => {
  const { clock, network, open, record, countEvents, notices } = await startScene();
  const agent = await open();
  clock.advance(61 * DAY_MS);
  network.losing = '/credential';
  await record(agent);
  expect(await agent.flush()).toBe(true);
  expect(await agent.flush()).toBe(true);
  expect(notices.map(({ kind }) => kind)).toEqual(['credential_not_renewed']);
  expect(agent.health().credential?.problem).toMatch(/could not be reached/);
  clock.advance(6 * DAY_MS);
  network.losing = undefined;
  const again = await open();
  await record(again);
  expect(await again.flush()).toBe(true);
  expect(again.health().credential?.problem).toBeUndefined();
  clock.advance(80 * DAY_MS);
  expect(await again.flush()).toBe(true);
  expect(await countEvents()).toBe(2);
});

test('a device that was off for too long says so, and enrols again under the same id and key', async () => {
  const { clock, open, record, countEvents, notices, enrolment, deviceId } = await startScene();
  const agent = await open();
  await record(agent);
  clock.advance(91 * DAY_MS);
  expect(await agent.flush()).toBe(false);
  expect(notices.find(({ kind }) => kind === 'credential_not_renewed')?.message).toMatch(/has expired/);
  await agent.close();
  // By this process's clock, the credential is still valid.
  const enrolled = await enrolDevice({ ...enrolment, again: true });
  expect(enrolled.deviceId).toBe(deviceId);
  const again = await open();
  expect(await again.flush()).toBe(true);
  expect(await countEvents()).toBe(1);
});

test('a key rotation without an answer is found out by reading the device', async () => {
  const { network, open, record, countEvents } = await startScene();
  const agent = await open();
  await agent.refreshPolicies();
  network.losing = '/keys';
  await expect(agent.rotateSigningKey()).rejects.toThrow(/not yet known/);
  network.losing = undefined;
  const again = await open();
  await record(again);
  expect(await again.flush()).toBe(true);
  expect(await countEvents()).toBe(1);
});

test('a rotation of the storage key keeps the credential', async () => {
  const { open, record, countEvents } = await startScene();
  const agent = await open();
  await agent.rotateStorageKey();
  const again = await open();
  await record(again);
  expect(await again.flush()).toBe(true);
  expect(await countEvents()).toBe(1);
});

test('a rotation of the storage key keeps the credential while the application brings another', async () => {
  const { open, record, countEvents, directory, service } = await startScene();
  const { credential } = service.tenant;
  const other = await openNodeAgent({ directory, autonomous: false, credential });
  await other.rotateStorageKey().finally(() => other.close());
  const again = await open();
  await record(again);
  expect(await again.flush()).toBe(true);
  expect(await countEvents()).toBe(1);
});

test('an enrolled device enrols again only when asked; without a secret it gets no credential', async () => {
  const { service, enrolment, deviceId } = await startScene();
  const tokens = async () =>
    (await service.client.send('GET', `/tokens?device_id=${deviceId}`, service.tenant)).body as {
      data: { token_id: string }[];
    };
  const [before] = (await tokens()).data;
  await enrolDevice(enrolment);
  expect((await tokens()).data).toMatchObject([{ token_id: before?.token_id }]);
  await enrolDevice({ ...enrolment, again: true });
  const [after] = (await tokens()).data;
  expect(after?.token_id).not.toBe(before?.token_id);
  const directory = join(newFolder(), 'other');
  const { credential } = service.tenant;
  await enrolDevice({ ...enrolment, directory, enrolmentCredential: credential });
  await expect(openNodeAgent({ directory })).rejects.toThrow(/has no credential/);
});
