import { type CreatedToken, SCOPES } from '@tps/contract';
import { codeOf, registerTestDevice, signedSend, type TestDevice } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { startTestService, type TestAnswer, type TestService, useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const limited = useFixture(() => startTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: '6' } }), {
  close: (started) => started.stop(),
});

const LIMIT = 40;
const roomy = useFixture(() => startTestService({ env: { SERVICE_RATE_LIMIT_PER_MINUTE: String(LIMIT) } }), {
  close: (started) => started.stop(),
});

async function createToken({ client, tenant }: TestService, scopes = SCOPES): Promise<CreatedToken> {
  const { credential } = tenant;
  const made = await client.send('POST', '/tokens', { credential, body: { name: 'sender', scopes } });
  return made.body as CreatedToken;
}

/** A device whose credential was just used. It is then revoked in the store only, as another node would do it. */
async function revokedSender(of: TestService): Promise<{ device: TestDevice; credential: string }> {
  const device = await registerTestDevice(of);
  const { token: credential = '', token_id: tokenId } = await createToken(of);
  const answer = await signedSend(of, device, device.event(), { credential });
  expect(answer.status).toBe(201);
  await of.service.database.transaction((tx) =>
    tx.db.updateTable('tokens').set({ revoked_at: 1 }).where('token_id', '=', tokenId).execute(),
  );
  return { device, credential };
}

function expectUnknown(answer: TestAnswer): void {
  expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_credentials']);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
}

const feedLength = async () => {
  const { credential } = service.tenant;
  const answer = await service.client.send('GET', '/events', { credential });
  return (answer.body as { data: unknown[] }).data.length;
};

describe('a credential that was revoked after its last use', () => {
  test('stores no event', async () => {
    const { device, credential } = await revokedSender(service);
    const before = await feedLength();
    expectUnknown(await signedSend(service, device, device.event(), { credential }));
    const batch = { events: [device.event()] };
    const again = await revokedSender(service);
    expectUnknown(
      await signedSend(service, device, batch, { path: '/events/batch', credential: again.credential }),
    );
    expect(await feedLength()).toBe(before + 1);
  });

  test.each<[string, (device: TestDevice) => Parameters<typeof signedSend>[3] & { body?: unknown }]>([
    ['signatures', () => ({ signed: { body: 'another' } })],
    ['devices', () => ({ signer: { keyId: 'dev_unknown' } })],
    ['the size limit', () => ({ body: `{"a":"${'x'.repeat(2 ** 20)}"}` })],
    ['JSON', () => ({ body: '{' })],
    ['the schema', (device) => ({ body: { ...device.event(), colour: 'red' } })],
    ['times', (device) => ({ body: device.event({ timestamp: '2020-01-01T00:00:00Z' }) })],
    ['tenants', (device) => ({ body: device.event({ tenant_id: 'tnt_another' }) })],
    ['encodings', () => ({ extraHeaders: { 'content-encoding': 'gzip' } })],
    ['parameters', () => ({ path: '/events?colour=red' })],
  ])('learns nothing about %s', async (_, requestOf) => {
    const { device, credential } = await revokedSender(service);
    const { body = device.event(), ...options } = requestOf(device) ?? {};
    const valid = await signedSend(service, device, body, options);
    expect([valid.status, codeOf(valid)]).not.toEqual([401, 'invalid_credentials']);
    expectUnknown(await signedSend(service, device, body, { ...options, credential }));
  });

  test('reads nothing', async () => {
    const { credential } = await revokedSender(service);
    expectUnknown(await service.client.send('GET', '/events', { credential }));
  });

  test('gets the response of an unknown credential even over the rate limit', async () => {
    const { device, credential } = await revokedSender(limited);
    const unused = { credential: limited.tenant.credential };
    for (let status = 201; status !== 429; ) {
      ({ status } = await signedSend(limited, device, device.event(), unused));
    }
    expectUnknown(await signedSend(limited, device, device.event(), { credential }));
  });

  test('does not count against the rate limit of its tenant after its first refusal', async () => {
    const { device, credential } = await revokedSender(roomy);
    expectUnknown(await signedSend(roomy, device, device.event(), { credential }));
    const remaining = async () => {
      const answer = await roomy.client.send('GET', '/status', { credential: roomy.tenant.credential });
      expect(answer.status).toBe(200);
      return Number(answer.headers.get('x-ratelimit-remaining'));
    };
    const before = await remaining();
    for (let sent = 1; sent < LIMIT; sent += 1) {
      expectUnknown(await signedSend(roomy, device, device.event(), { credential }));
    }
    expect(await remaining()).toBe(before - 1);
  });

  test('is counted as a failed authentication', async () => {
    const { device, credential } = await revokedSender(service);
    const remaining = ({ headers }: TestAnswer) => Number(headers.get('x-ratelimit-remaining'));
    const first = remaining(await signedSend(service, device, device.event(), { credential }));
    const failed = await service.client.send('GET', '/status', { credential: 'svc_live_unknown' });
    expect(remaining(failed)).toBe(first - 1);
  });
});
