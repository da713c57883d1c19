import { randomBytes } from 'node:crypto';
import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { CreatedEnrolment, NewEnrolment, RegisteredDevice } from '@tps/contract';
import type { RequestSigner } from '@tps/signatures';
import type { TestAnswer } from '../service/check-answer.ts';
import type { TestService, TestTenant } from '../service/test-service.ts';
import { signedSend } from './signed-send.ts';

/** Creates an enrolment secret. */
export async function createTestEnrolment(
  service: TestService,
  { tenant = service.tenant, ...wanted }: Partial<NewEnrolment> & { tenant?: TestTenant } = {},
): Promise<CreatedEnrolment & { secret: string }> {
  const { credential } = tenant;
  const body = { name: 'Phones', max_uses: 1000, ...wanted };
  const answer = await service.client.send('POST', '/enrolments', { credential, body });
  const created = answer.body as CreatedEnrolment;
  if (answer.status !== 201 || created.secret === undefined) throw new Error(answer.text);
  return { ...created, secret: created.secret };
}

/** Sends the registration of a device with an enrolment secret, or with another credential. */
export async function sendEnrolment(
  service: TestService,
  secret: string,
  device: {
    tenant?: TestTenant;
    deviceId?: string;
    key?: SoftwareKey;
    signer?: Partial<RequestSigner>;
  } = {},
): Promise<{ deviceId: string; key: SoftwareKey; answer: TestAnswer; registered: RegisteredDevice }> {
  const { tenant = service.tenant, deviceId = `dev_${randomBytes(6).toString('hex')}` } = device;
  const key = device.key ?? (await generateDeviceKey('ed25519'));
  const body = {
    tenant_id: tenant.tenantId,
    device_id: deviceId,
    platform: 'android',
    public_key_b64: key.publicKeyB64,
  };
  const answer = await signedSend(service, { deviceId, key, tenant }, body, {
    path: '/devices',
    credential: secret,
    signer: { tag: 'tps-register', ...device.signer },
  });
  return { deviceId, key, answer, registered: answer.body as RegisteredDevice };
}

/** Enrols a device and returns its credential. */
export async function enrolTestDevice(service: TestService, secret: string, tenant = service.tenant) {
  const { answer, registered, deviceId, key } = await sendEnrolment(service, secret, { tenant });
  if (registered.credential === undefined) throw new Error(answer.text);
  return { deviceId, key, tenant, credential: registered.credential };
}
