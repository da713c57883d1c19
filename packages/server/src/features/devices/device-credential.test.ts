import { generateDeviceKey } from '@tps/agent';
import { type DeviceCredential, operations, SCOPES, type Token } from '@tps/contract';
import type { RequestSigner } from '@tps/signatures';
import {
  codeOf,
  createTestEnrolment,
  enrolTestDevice,
  registerTestDevice,
  sendEnrolment,
  signedSend,
  testEvent,
} from '@tps/testing/device';
import {
  listAudit,
  startTestService,
  type TestAnswer,
  type TestService,
  useTestService,
} from '@tps/testing/service';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

const DAY_MS = 86_400_000;

type EnrolledDevice = Awaited<ReturnType<typeof enrolTestDevice>>;

const service = useTestService();
let secret: string;

beforeAll(async () => {
  ({ secret } = await createTestEnrolment(service));
});

const outcomeOf = (answer: TestAnswer) => [answer.status, codeOf(answer)];

const eventOf = ({ deviceId, tenant }: EnrolledDevice) =>
  testEvent({ tenant_id: tenant.tenantId, device_id: deviceId });

const get = (path: string, { credential }: EnrolledDevice) =>
  service.client.send('GET', path, { credential: credential.token });

function sendEvent(of: TestService, device: EnrolledDevice, credential = device.credential.token) {
  return signedSend(
    of,
    device,
    testEvent({ tenant_id: device.tenant.tenantId, device_id: device.deviceId }),
    {
      credential,
    },
  );
}

function renew(
  of: TestService,
  device: EnrolledDevice,
  {
    credential = device.credential.token,
    signer = {},
  }: { credential?: string; signer?: Partial<RequestSigner> } = {},
) {
  return signedSend(
    of,
    device,
    { tenant_id: device.tenant.tenantId },
    {
      path: `/devices/${device.deviceId}/credential`,
      credential,
      signer: { tag: 'tps-renew', ...signer },
    },
  );
}

describe('the credential of a device', () => {
  test('sends its events, reads itself, policies, indicators and guidance, and rotates its key', async () => {
    const device = await enrolTestDevice(service, secret);
    expect((await sendEvent(service, device)).status).toBe(201);
    const batch = { events: [eventOf(device)] };
    const options = { path: '/events/batch', credential: device.credential.token };
    expect((await signedSend(service, device, batch, options)).body).toMatchObject({
      results: [{ status: 201 }],
    });
    for (const path of [
      `/devices/${device.deviceId}`,
      '/policies',
      '/indicators/bundle',
      '/indicators/keys',
      '/guidance',
    ]) {
      expect((await get(path, device)).status, path).toBe(200);
    }
    const next = await generateDeviceKey('ed25519');
    const signers = [
      { ...device.key, keyId: device.deviceId, tag: 'tps-rotate', label: 'old' },
      { ...next, keyId: device.deviceId, tag: 'tps-rotate', label: 'new' },
    ] as const;
    const rotated = await signedSend(
      service,
      device,
      { tenant_id: device.tenant.tenantId, public_key_b64: next.publicKeyB64 },
      { path: `/devices/${device.deviceId}/keys`, credential: device.credential.token, signer: signers },
    );
    expect(rotated.status).toBe(200);
  });

  test.each(
    operations
      .filter(({ scope }) => scope !== null)
      .map(({ method, path, openTo = [] }) => ({ name: `${method} ${path}`, method, path, openTo })),
  )('calls $name only where the contract opens it, as does an enrolment secret', async (operation) => {
    const { method, path, openTo } = operation;
    const device = await enrolTestDevice(service, secret);
    const [noun = ''] = path.split('/').slice(1);
    const id = noun === 'devices' ? device.deviceId : `${noun.slice(0, 3)}_1`;
    const request = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
    for (const [kind, credential] of [
      ['device', device.credential.token],
      ['enrolment', secret],
    ] as const) {
      const answer = await service.client.send(method, path.replace('{id}', id), { credential, ...request });
      if (openTo.includes(kind)) expect(codeOf(answer), kind).not.toBe('insufficient_scope');
      else expect(outcomeOf(answer), kind).toEqual([403, 'insufficient_scope']);
    }
  });

  test('does not reach another device, whose id looks unknown', async () => {
    const device = await enrolTestDevice(service, secret);
    const other = await enrolTestDevice(service, secret);
    const foreign = await get(`/devices/${other.deviceId}`, device);
    const unknown = await get('/devices/dev_nobody', device);
    expect(outcomeOf(foreign)).toEqual([404, 'not_found']);
    expect(foreign.text).toBe(unknown.text);
    // Even with the other device's key in hand.
    expect(outcomeOf(await sendEvent(service, other, device.credential.token))).toEqual([
      403,
      'device_not_registered',
    ]);
    expect(outcomeOf(await renew(service, other, { credential: device.credential.token }))).toEqual([
      404,
      'not_found',
    ]);
  });

  test('ends with the device, in the same transaction', async () => {
    const device = await enrolTestDevice(service, secret);
    const { credential } = service.tenant;
    const body = { status: 'revoked' };
    await service.client.send('PATCH', `/devices/${device.deviceId}`, { credential, body });
    expect(outcomeOf(await sendEvent(service, device))).toEqual([401, 'invalid_credentials']);
    const again = await sendEnrolment(service, secret, device);
    expect(outcomeOf(again.answer)).toEqual([403, 'device_revoked']);
    const tokens = await service.client.send('GET', `/tokens?device_id=${device.deviceId}`, { credential });
    expect(tokens.body).toMatchObject({ data: [{ status: 'revoked' }] });
  });

  test('that a token rolls stays bound to its device', async () => {
    const device = await enrolTestDevice(service, secret);
    const { credential } = service.tenant;
    const path = `/tokens/${device.credential.token_id}/roll`;
    const rolled = (await service.client.send('POST', path, { credential, body: {} })).body as {
      token: string;
    };
    const list = await service.client.send('GET', '/devices', { credential: rolled.token });
    expect(outcomeOf(list)).toEqual([403, 'insufficient_scope']);
    expect((await sendEvent(service, device, rolled.token)).status).toBe(201);
  });
});

test('no credential that is rolled while the device is revoked outlives it', async () => {
  const { credential } = service.tenant;
  const send = (method: string, path: string, body: object) =>
    service.client.send(method, path, { credential, body });
  for (let round = 0; round < 8; round += 1) {
    const { deviceId, credential: own } = await enrolTestDevice(service, secret);
    await Promise.all([
      send('POST', `/tokens/${own.token_id}/roll`, { grace_s: 60 }),
      send('PATCH', `/devices/${deviceId}`, { status: 'revoked' }),
    ]);
    const tokens = await service.client.send('GET', `/tokens?device_id=${deviceId}`, { credential });
    const { data } = tokens.body as { data: Token[] };
    expect(data.filter(({ status }) => status !== 'revoked')).toEqual([]);
  }
});

describe('the renewal of a credential', () => {
  test('needs the key of the device, its own tag, and cannot be replayed', async () => {
    const device = await enrolTestDevice(service, secret);
    const { privateKey } = await generateDeviceKey('ed25519');
    for (const signer of [{ privateKey }, { tag: 'tps-event' as const }, { keyId: 'dev_other' }]) {
      const refused = await renew(service, device, { signer });
      expect(outcomeOf(refused)).toEqual([401, 'invalid_signature']);
    }
    const signer = { nonce: 'n'.repeat(22) };
    expect((await renew(service, device, { signer })).status).toBe(201);
    expect(outcomeOf(await renew(service, device, { signer }))).toEqual([401, 'replayed_request']);
    expect(await listAudit(service, device.deviceId)).toContain('device.renew_credential success');
  });

  test('keeps the credential that was used for a week, so that a lost response does no harm', async () => {
    const clock = new ManualClock(Date.now());
    const still = await startTestService({ clock, env: { SERVICE_DEVICE_CREDENTIAL_DAYS: '30' } });
    onTestFinished(() => still.stop());
    const device = await enrolTestDevice(still, (await createTestEnrolment(still)).secret);
    const at = () => ({ signer: { created: Math.floor(clock.now() / 1000) } });
    clock.advance(20 * DAY_MS);
    const lost = (await renew(still, device, at())).body as DeviceCredential;
    clock.advance(DAY_MS);
    const received = (await renew(still, device, at())).body as DeviceCredential;
    expect(Date.parse(received.expires_at)).toBe(clock.now() + 30 * DAY_MS);
    const read = async (credential: string) =>
      (await still.client.send('GET', `/devices/${device.deviceId}`, { credential })).status;
    expect(await read(lost.token)).toBe(401);
    expect(await read(device.credential.token)).toBe(200);
    expect(await read(received.token)).toBe(200);
    // A second renewal by the old credential does not prolong it.
    clock.advance(6 * DAY_MS - 1);
    expect(await read(device.credential.token)).toBe(200);
    clock.advance(1);
    expect(await read(device.credential.token)).toBe(401);
    expect(await read(received.token)).toBe(200);
  });

  test('is refused once the credential has expired; enrolling again works', async () => {
    const clock = new ManualClock(Date.now());
    const still = await startTestService({ clock, env: { SERVICE_DEVICE_CREDENTIAL_DAYS: '1' } });
    onTestFinished(() => still.stop());
    const { secret: own } = await createTestEnrolment(still);
    const device = await enrolTestDevice(still, own);
    clock.advance(DAY_MS);
    const signer = { created: Math.floor(clock.now() / 1000) };
    expect(outcomeOf(await renew(still, device, { signer }))).toEqual([401, 'invalid_credentials']);
    const again = await sendEnrolment(still, own, { ...device, signer });
    expect(again.answer.status).toBe(200);
    const credential = again.registered.credential?.token ?? '';
    const read = await still.client.send('GET', `/devices/${device.deviceId}`, { credential });
    expect(read.status).toBe(200);
  });

  test('by a token gives a credential that does not outlive the token', async () => {
    const device = await registerTestDevice(service);
    const endsAtMs = Date.now() + 3_600_000;
    const credential = await service.createCredential(service.tenant.tenantId, SCOPES, endsAtMs);
    const answer = await renew(service, device as never, { credential });
    expect(Date.parse((answer.body as DeviceCredential).expires_at)).toBe(endsAtMs);
  });

  test('is refused to a token that lacks a scope of the credential', async () => {
    const device = await registerTestDevice(service);
    const credential = await service.createCredential(service.tenant.tenantId, ['devices:write']);
    const refused = await renew(service, device as never, { credential });
    expect(outcomeOf(refused)).toEqual([403, 'scope_escalation']);
    expect(refused.text).toContain('events:write');
  });
});
