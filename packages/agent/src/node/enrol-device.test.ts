import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DeviceClientError } from '../errors/device-client-error.ts';
import { ServiceUnreachableError } from '../errors/service-unreachable-error.ts';
import { refusal } from '../testing/checking-service.ts';
import { startFeedService } from '../testing/feed-service.ts';
import { enrolDevice } from './enrol-device.ts';
import { openNodeAgent } from './open-node-agent.ts';

const ENROLMENT = 'svc_test_EnrolmentOnly';

async function emptyPlace() {
  const service = await startFeedService();
  const directory = await mkdtemp(join(tmpdir(), 'tps-enrol-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const options = {
    directory,
    baseUrl: service.url,
    enrolmentCredential: ENROLMENT,
    platform: 'linux',
  } as const;
  return { service, directory, options };
}

test('an enrolled directory knows its device, and answers the same again without a request', async () => {
  const { service, options } = await emptyPlace();
  const identity = await enrolDevice({ ...options, name: 'Desk', agentVersion: '2.0.0' });
  expect(identity).toEqual({
    deviceId: expect.stringMatching(/^dev_[0-9a-f]{32}$/),
    tenantId: 'tnt_1',
    platform: 'linux',
  });
  expect(service.received).toMatchObject([
    { path: '/devices', credential: `Bearer ${ENROLMENT}`, body: { name: 'Desk', agent_version: '2.0.0' } },
  ]);
  expect(await enrolDevice(options)).toEqual(identity);
  expect(service.received).toHaveLength(1);
});

test('a directory of another device, platform or service is not taken over', async () => {
  const { options } = await emptyPlace();
  await enrolDevice({ ...options, deviceId: 'dev_a' });
  for (const other of [
    { deviceId: 'dev_b' },
    { platform: 'ios' },
    { baseUrl: 'http://127.0.0.1:1' },
  ] as const) {
    await expect(enrolDevice({ ...options, ...other })).rejects.toThrow(/belongs to dev_a \(linux\)/);
  }
});

test('an enrolment whose answer was lost goes on under the same id and key', async () => {
  const { service, options } = await emptyPlace();
  service.state.registrations.push('disconnect');
  await expect(enrolDevice(options)).rejects.toThrow(ServiceUnreachableError);
  await expect(openNodeAgent({ ...options, credential: 'svc' })).rejects.toThrow(/not been finished/);
  const { deviceId } = await enrolDevice(options);
  const [first, second] = service.received.map(({ body }) => body);
  expect(second).toEqual(first);
  expect(second?.device_id).toBe(deviceId);
});

test('what the service refuses is said with its code, and can be repeated', async () => {
  const { service, options } = await emptyPlace();
  service.state.registrations.push(refusal(403, 'insufficient_scope'));
  const error = await enrolDevice(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DeviceClientError);
  expect(error).toMatchObject({ status: 403, code: 'insufficient_scope' });
  await enrolDevice(options);
});

test('a directory that belongs to no device opens no agent', async () => {
  const { options } = await emptyPlace();
  await expect(openNodeAgent({ ...options, credential: 'svc' })).rejects.toThrow(/enrol one first/);
});

test('the credential of the enrolment is not kept', async () => {
  const { options, directory } = await emptyPlace();
  await enrolDevice(options);
  const kept = [join(directory, 'store', 'device.json'), join(directory, 'keys.json')];
  for (const file of kept) expect(await readFile(file, 'utf8')).not.toContain(ENROLMENT);
});

test('an id that could not be read again is refused before anything is kept', async () => {
  const { service, options } = await emptyPlace();
  await expect(enrolDevice({ ...options, deviceId: 'till 7' })).rejects.toThrow(TypeError);
  expect(service.received).toEqual([]);
  await enrolDevice({ ...options, deviceId: 'dev_till-7' });
});

test.each([
  ['another device', { device_id: 'dev_other', tenant_id: 'tnt_1' }],
  ['a tenant that is none', { device_id: 'dev_a', tenant_id: 'tnt 1' }],
])('an answer about %s enrols nobody', async (_name, device) => {
  const { service, options } = await emptyPlace();
  service.state.registrations.push([201, device]);
  await expect(enrolDevice({ ...options, deviceId: 'dev_a' })).rejects.toThrow(/not enrolled yet/);
  expect(await enrolDevice({ ...options, deviceId: 'dev_a' })).toMatchObject({ tenantId: 'tnt_1' });
});
