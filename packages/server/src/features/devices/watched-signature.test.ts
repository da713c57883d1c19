import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import { type RequestSigner, type SignedMessage, signRequest } from '@tps/signatures';
import { useTestDatabase } from '@tps/testing/store';
import { ManualClock } from '@tps/testing/time';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { RequestDatabase } from '../authority/index.ts';
import { createOperator } from '../authority/testing/create-operator.ts';
import { TenantService } from '../tenants/tenant-service.ts';
import { DeviceCredentials } from '../tokens/index.ts';
import { DeviceKeys } from './device-keys.ts';
import { DeviceService } from './device-service.ts';
import * as deviceStore from './device-store.ts';
import { type SignedRequest, verifyDeviceRequest } from './signed-request.ts';

const BODY = '{"public_key_b64":""}';

const clock = new ManualClock();
let tenantId: TenantId;
let key: SoftwareKey;
let otherKey: SoftwareKey;
let refused: string[];
let keys: DeviceKeys;
let requestIn: (tenantId: TenantId) => AdmittedRequest;

const store = useTestDatabase();

beforeAll(async () => {
  key = await generateDeviceKey('ed25519');
  otherKey = await generateDeviceKey('ed25519');
  const tenants = new TenantService({ database: store.database, clock });
  const wanted = { name: 'one', environment: 'test' } as const;
  tenantId = (await store.database.transaction((tx) => tenants.create(tx, wanted))).tenantId;
  requestIn = await createOperator(store.database, 'tok_someone');
  await register('dev_a', 'active');
  await register('dev_revoked', 'revoked');
});

beforeEach(() => {
  refused = [];
  keys = new DeviceKeys(
    store.database,
    (request, deviceId) => void refused.push(`${request.tenantId} ${deviceId}`),
  );
});

async function register(deviceId: string, status: 'active' | 'revoked'): Promise<void> {
  const nowMs = clock.now();
  await store.database.transaction((tx) =>
    deviceStore.create(tx, {
      tenantId,
      deviceId,
      status,
      platform: 'android',
      agentVersion: null,
      name: null,
      publicKey: Buffer.from(key.publicKeyB64, 'base64'),
      registeredAtMs: nowMs,
      revokedAtMs: null,
      version: 1,
      lastSeenAtMs: null,
    }),
  );
}

/** Signs a request like a legitimate device, except for the given parts. */
async function sign(
  signer: Partial<RequestSigner> = {},
  { body = BODY, ofTenant = tenantId } = {},
): Promise<SignedRequest> {
  const { privateKey, algorithm } = key;
  const headers: Record<string, string> = {};
  const created = Math.floor(clock.now() / 1000);
  const signed = await signRequest(
    { method: 'POST', path: '/events', body: Buffer.from(body) },
    { privateKey, algorithm, keyId: 'dev_a', tag: 'tps-event', created, ...signer },
  );
  for (const [name, value] of Object.entries(signed)) headers[name.toLowerCase()] = value;
  const message: SignedMessage = { method: 'POST', path: '/events', header: (name) => headers[name] };
  return { ...requestIn(ofTenant), message, rawBody: Buffer.from(BODY) };
}

async function codeOf(request: SignedRequest): Promise<string> {
  const options = { keys, turns: new FairTurns(), nowMs: clock.now() };
  const outcome = verifyDeviceRequest(request, { tag: 'tps-event', ...options });
  return outcome.then(
    () => 'accepted',
    (error: { code: string }) => error.code,
  );
}

test('each rejected signature for an active device is reported, for any reason', async () => {
  const created = Math.floor(clock.now() / 1000);
  const requests = [
    await sign({ privateKey: otherKey.privateKey }),
    await sign({}, { body: '{}' }),
    await sign({ created: created - 301 }),
    await sign({ created: created + 61 }),
  ];
  for (const request of requests) expect(await codeOf(request)).toBe('invalid_signature');
  expect(refused).toEqual(requests.map(() => `${tenantId} dev_a`));
});

test('a genuine request is not reported', async () => {
  expect(await codeOf(await sign())).toBe('accepted');
  expect(refused).toEqual([]);
});

test('unknown, foreign, revoked and missing devices are not reported', async () => {
  const { privateKey } = otherKey;
  expect(await codeOf(await sign({ privateKey, keyId: 'dev_nobody' }))).toBe('device_not_registered');
  const elsewhere = await sign({ privateKey }, { ofTenant: 'tnt_other' as TenantId });
  expect(await codeOf(elsewhere)).toBe('device_not_registered');
  expect(await codeOf(await sign({ privateKey, keyId: 'dev_revoked' }))).toBe('device_revoked');
  const unsigned = await sign();
  const message: SignedMessage = { ...unsigned.message, header: () => undefined };
  expect(await codeOf({ ...unsigned, message })).toBe('invalid_signature');
  expect(refused).toEqual([]);
});

test('a device that another node has revoked meanwhile is not reported', async () => {
  await register('dev_late', 'active');
  expect(await codeOf(await sign({ keyId: 'dev_late' }))).toBe('accepted');
  const device = await deviceStore.find(store.database.read, tenantId, 'dev_late');
  if (!device) throw new Error('the device is not there');
  await store.database.transaction((tx) =>
    deviceStore.update(tx, { ...device, status: 'revoked', version: 2 }),
  );
  const forged = await sign({ keyId: 'dev_late', privateKey: otherKey.privateKey });
  expect(await codeOf(forged)).toBe('device_revoked');
  expect(refused).toEqual([]);
});

test('a rotation not signed by the current key is reported; a wrong new signature is not', async () => {
  const devices = new DeviceService({
    database: new RequestDatabase({ database: store.database, clock }),
    clock,
    keys,
    turns: new FairTurns(),
    credentials: new DeviceCredentials({ lifetimeDays: 90 }),
  });
  const rotate = async (old: SoftwareKey, next: SoftwareKey) => {
    const created = Math.floor(clock.now() / 1000);
    const signers = (['old', 'new'] as const).map((label) => {
      const { privateKey, algorithm } = label === 'old' ? old : next;
      return { privateKey, algorithm, keyId: 'dev_a', tag: 'tps-rotate' as const, label, created };
    });
    const signed = await signRequest({ method: 'POST', path: '/events', body: Buffer.from(BODY) }, signers);
    const headers = new Map(Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]));
    const message: SignedMessage = { method: 'POST', path: '/events', header: (name) => headers.get(name) };
    const request = { ...requestIn(tenantId), message, rawBody: Buffer.from(BODY) };
    return devices.rotateKey(request, {
      deviceId: 'dev_a',
      presented: { deviceId: 'dev_a', publicKeyB64: otherKey.publicKeyB64 },
      readBody: () => ({ tenant_id: tenantId, public_key_b64: otherKey.publicKeyB64 }),
    });
  };
  await expect(rotate(otherKey, otherKey)).rejects.toMatchObject({ code: 'invalid_signature' });
  expect(refused).toEqual([`${tenantId} dev_a`]);
  await expect(rotate(key, key)).rejects.toMatchObject({ code: 'invalid_signature' });
  expect(refused).toHaveLength(1);
});
