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

async function emptyDirectory() {
  const service = await startFeedService();
  const directory = await mkdtemp(join(tmpdir(), 'tps-enrol-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const options = {
    directory,
    baseUrl: service.url,
    tenantId: 'tnt_1',
    enrolmentCredential: ENROLMENT,
    platform: 'linux',
  } as const;
  return { service, directory, options };
}

test('an enrolled directory returns its device again without a request', async () => {
  const { service, options } = await emptyDirectory();
  const identity = await enrolDevice({ ...options, name: 'Desk', agentVersion: '2.0.0' });
  expect(identity).toEqual({
    deviceId: expect.stringMatching(/^dev_[0-9a-f]{32}$/),
    tenantId: 'tnt_1',
    platform: 'linux',
  });
  expect(service.received).toMatchObject([
    { path: '/devices', credential: `Bearer ${ENROLMENT}`, body: { tenant_id: 'tnt_1', name: 'Desk' } },
  ]);
  expect(await enrolDevice(options)).toEqual(identity);
  expect(service.received).toHaveLength(1);
});

test('a directory of another device, tenant, platform or service is rejected', async () => {
  const { options } = await emptyDirectory();
  await enrolDevice({ ...options, deviceId: 'dev_a' });
  for (const other of [
    { deviceId: 'dev_b' },
    { tenantId: 'tnt_2' },
    { platform: 'ios' },
    { baseUrl: 'http://127.0.0.1:1' },
  ] as const) {
    await expect(enrolDevice({ ...options, ...other })).rejects.toThrow(/belongs to dev_a \(linux\)/);
  }
});

test('an enrolment whose answer was lost continues under the same id and key', async () => {
  const { service, options } = await emptyDirectory();
  service.state.registrations.push('disconnect');
  await expect(enrolDevice(options)).rejects.toThrow(ServiceUnreachableError);
  await expect(openNodeAgent({ ...options, credential: 'svc' })).rejects.toThrow(/is not complete/);
  const { deviceId } = await enrolDevice(options);
  const [first, second] = service.received.map(({ body }) => body);
  expect(second).toEqual(first);
  expect(second?.device_id).toBe(deviceId);
});

test('a refused enrolment rejects with the code and can be repeated', async () => {
  const { service, options } = await emptyDirectory();
  service.state.registrations.push(refusal(403, 'insufficient_scope'));
  const error = await enrolDevice(options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DeviceClientError);
  expect(error).toMatchObject({ status: 403, code: 'insufficient_scope' });
  await enrolDevice(options);
});

test('an agent does not open in a directory without a device', async () => {
  const { options } = await emptyDirectory();
  await expect(openNodeAgent({ ...options, credential: 'svc' })).rejects.toThrow(/enrol one first/);
});

test('the enrolment credential is not stored', async () => {
  const { options, directory } = await emptyDirectory();
  await enrolDevice(options);
  const kept = [join(directory, 'store', 'device.json'), join(directory, 'keys.json')];
  for (const file of kept) expect(await readFile(file, 'utf8')).not.toContain(ENROLMENT);
});

test('an invalid device id is rejected before anything is stored', async () => {
  const { service, options } = await emptyDirectory();
  await expect(enrolDevice({ ...options, deviceId: 'till 7' })).rejects.toThrow(TypeError);
  expect(service.received).toEqual([]);
  await enrolDevice({ ...options, deviceId: 'dev_till-7' });
});

test.each([
  ['another device', { device_id: 'dev_other', tenant_id: 'tnt_1' }],
  ['another tenant', { device_id: 'dev_a', tenant_id: 'tnt_2' }],
])('an answer with %s does not enrol the device', async (_name, device) => {
  const { service, options } = await emptyDirectory();
  service.state.registrations.push([201, device]);
  await expect(enrolDevice({ ...options, deviceId: 'dev_a' })).rejects.toThrow(/not yet enrolled/);
  expect(await enrolDevice({ ...options, deviceId: 'dev_a' })).toMatchObject({ tenantId: 'tnt_1' });
});
