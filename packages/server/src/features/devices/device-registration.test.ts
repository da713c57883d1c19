import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { generateDeviceKey, type SoftwareKey } from '@tps/agent';
import type { Device } from '@tps/contract';
import { SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { codeOf, registerTestDevice, type SignedSend, signedSend } from '@tps/testing/device';
import { listAudit, type TestTenant, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';
import * as deviceStore from './device-store.ts';

const service = useTestService();

const ED25519_HEADER = Buffer.from('302a300506032b6570032100', 'hex');
const ORDER_8 = Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex');

const newId = () => `dev_${randomBytes(6).toString('hex')}`;

/** Registers over HTTP with a signature that `options` may invalidate. */
function register(
  { deviceId, key, tenant = service.tenant }: { deviceId: string; key: SoftwareKey; tenant?: TestTenant },
  { members = {}, ...options }: SignedSend & { members?: Record<string, unknown> } = {},
) {
  const body = {
    tenant_id: tenant.tenantId,
    device_id: deviceId,
    platform: 'android',
    public_key_b64: key.publicKeyB64,
    ...members,
  };
  const signer = options.signer ?? { tag: 'tps-register' as const };
  return signedSend(service, { deviceId, key, tenant }, body, { path: '/devices', ...options, signer });
}

async function readDevice(deviceId: string, tenant = service.tenant) {
  const { credential } = tenant;
  return (await service.client.send('GET', `/devices/${deviceId}`, { credential })).body as Device;
}

describe('a registration', () => {
  test.each(SIGNATURE_ALGORITHMS)(
    'with a %s key responds 201 with the device, then 200 with the same',
    async (algorithm) => {
      const deviceId = newId();
      const key = await generateDeviceKey(algorithm);
      const members = { name: 'Front desk', agent_version: '1.2.3' };
      const first = await register({ deviceId, key }, { members });
      expect(first.status).toBe(201);
      expect(first.headers.get('location')).toBe(`/devices/${deviceId}`);
      expect(first.body).toMatchObject({
        device_id: deviceId,
        tenant_id: service.tenant.tenantId,
        platform: 'android',
        status: 'active',
        public_key_b64: key.publicKeyB64,
        revoked_at: null,
        ...members,
      });
      const again = await register({ deviceId, key }, { members: { ...members, name: 'Ignored' } });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ name: 'Front desk' });
      expect(await listAudit(service, deviceId)).toEqual(['device.register success']);
    },
  );

  test('with another key under a known id is rejected and audited, and the first key stays', async () => {
    const [deviceId, key, thief] = [
      newId(),
      await generateDeviceKey('ed25519'),
      await generateDeviceKey('ed25519'),
    ];
    await register({ deviceId, key });
    const refused = await register({ deviceId, key: thief });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'device_key_conflict']);
    expect((await readDevice(deviceId)).public_key_b64).toBe(key.publicKeyB64);
    expect(await listAudit(service, deviceId)).toEqual([
      'device.register success',
      'device.key_conflict denied',
    ]);
  });

  test('succeeds once when two with one id and two keys race', async () => {
    const deviceId = newId();
    const keys = await Promise.all(Array.from({ length: 6 }, () => generateDeviceKey('ed25519')));
    const answers = await Promise.all(keys.map((key) => register({ deviceId, key })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const winner = keys[answers.findIndex(({ status }) => status === 201)];
    expect((await readDevice(deviceId)).public_key_b64).toBe(winner?.publicKeyB64);
  });

  test('of a revoked device is rejected, with its own key and with another', async () => {
    const [deviceId, key] = [newId(), await generateDeviceKey('ed25519')];
    await register({ deviceId, key });
    const { credential } = service.tenant;
    const body = { status: 'revoked' };
    await service.client.send('PATCH', `/devices/${deviceId}`, { credential, body });
    for (const presented of [key, await generateDeviceKey('ed25519')]) {
      const refused = await register({ deviceId, key: presented });
      expect([refused.status, codeOf(refused)]).toEqual([403, 'device_revoked']);
    }
    expect((await readDevice(deviceId)).status).toBe('revoked');
  });

  test('under an id of another tenant creates a separate device', async () => {
    const [deviceId, tenant] = [newId(), await service.createTenant()];
    const [own, theirs] = [await generateDeviceKey('ed25519'), await generateDeviceKey('ed25519')];
    expect((await register({ deviceId, key: own })).status).toBe(201);
    expect((await register({ deviceId, key: theirs, tenant })).status).toBe(201);
    expect((await readDevice(deviceId)).public_key_b64).toBe(own.publicKeyB64);
    expect((await readDevice(deviceId, tenant)).public_key_b64).toBe(theirs.publicKeyB64);
  });

  test('is rejected without proof of possession of its key', async () => {
    const [key, other] = [await generateDeviceKey('ed25519'), await generateDeviceKey('ed25519')];
    const attempts: SignedSend[] = [
      { signer: { tag: 'tps-register', privateKey: other.privateKey } },
      { signer: { tag: 'tps-event' } },
      { signer: { tag: 'tps-register', keyId: 'dev_other' } },
      { signer: { tag: 'tps-register', created: Math.floor(Date.now() / 1000) - 301 } },
      { signed: { body: '{}' } },
      { signed: { path: '/events' } },
      { tamper: () => ({}) },
    ];
    for (const attempt of attempts) {
      const deviceId = newId();
      const refused = await register({ deviceId, key }, attempt);
      expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_signature']);
      expect((await service.client.send('GET', `/devices/${deviceId}`, service.tenant)).status).toBe(404);
    }
  });

  test('that is sent twice is a replay', async () => {
    const [deviceId, key] = [newId(), await generateDeviceKey('ed25519')];
    const signer = { tag: 'tps-register', nonce: 'n'.repeat(22) } as const;
    expect((await register({ deviceId, key }, { signer })).status).toBe(201);
    const again = await register({ deviceId, key }, { signer });
    expect([again.status, codeOf(again)]).toEqual([401, 'replayed_request']);
  });

  test('with an invalid member is rejected by name and uses up its nonce', async () => {
    const [deviceId, key] = [newId(), await generateDeviceKey('ed25519')];
    const options = {
      signer: { tag: 'tps-register', nonce: 'm'.repeat(22) },
      members: { platform: 'symbian' },
    } as const;
    const first = await register({ deviceId, key }, options);
    expect([first.status, codeOf(first)]).toEqual([400, 'invalid_field']);
    const again = await register({ deviceId, key }, options);
    expect([again.status, codeOf(again)]).toEqual([401, 'replayed_request']);
  });
});

describe('a public key is rejected', () => {
  const spki = (key: { publicKey: { export(options: object): Buffer | string } }) =>
    key.publicKey.export({ type: 'spki', format: 'der' }) as Buffer;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const good = spki(generateKeyPairSync('ed25519')).toString('base64');
  test.each([
    ['RSA of 1024 bits', spki(generateKeyPairSync('rsa', { modulusLength: 1024 })).toString('base64')],
    ['P-384', spki(generateKeyPairSync('ec', { namedCurve: 'P-384' })).toString('base64')],
    ['secp256k1', spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' })).toString('base64')],
    ['X25519, which cannot sign', spki(generateKeyPairSync('x25519')).toString('base64')],
    ['PKCS#1', rsa.publicKey.export({ type: 'pkcs1', format: 'der' }).toString('base64')],
    [
      'a private key',
      rsa.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64').slice(0, 1200),
    ],
    ['PEM', String(rsa.publicKey.export({ type: 'spki', format: 'pem' }))],
    ['base64 with a foreign character', `*${good.slice(1)}`],
    ['base64url', spki(rsa).toString('base64url').replace(/^./, '_')],
    ['base64 with a space', good.replace(/^(.{8})/, '$1 ')],
    ['bytes after the key', Buffer.concat([Buffer.from(good, 'base64'), Buffer.alloc(3)]).toString('base64')],
    [
      'the Ed25519 identity',
      Buffer.concat([ED25519_HEADER, Buffer.of(1), Buffer.alloc(31)]).toString('base64'),
    ],
    ['an Ed25519 point of order 8', Buffer.concat([ED25519_HEADER, ORDER_8]).toString('base64')],
    ['a key cut short', Buffer.from(good, 'base64').subarray(0, 40).toString('base64')],
  ])('that is %s', async (_, publicKeyB64) => {
    const key = { ...(await generateDeviceKey('ed25519')), publicKeyB64 };
    const answer = await register({ deviceId: newId(), key });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_public_key']);
  });
});

test('a weak key that was stored before it was refused verifies nothing', async () => {
  const device = await registerTestDevice(service);
  const { database } = service.service;
  const stored = await deviceStore.find(database.read, device.tenant.tenantId, device.deviceId);
  if (!stored) throw new Error('the device is missing');
  const publicKey = Buffer.concat([ED25519_HEADER, ORDER_8]);
  await database.transaction((tx) => deviceStore.update(tx, { ...stored, publicKey }));
  const refused = await device.post(device.event());
  expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_signature']);
  expect(JSON.stringify(refused.body)).toContain('small order');
});
