import { randomBytes } from 'node:crypto';
import { generateDeviceKey } from '@tps/agent';
import type { Event } from '@tps/contract';
import { REQUIRED_COMPONENTS, SIGNATURE_ALGORITHMS } from '@tps/signatures';
import { codeOf, registerTestDevice, type SignedSend, signedSend } from '@tps/testing/device';
import { useFixture } from '@tps/testing/fixture';
import { useTestService } from '@tps/testing/service';
import { describe, expect, test } from 'vitest';

const service = useTestService();
const device = useFixture(() => registerTestDevice(service));

const now = () => Math.floor(Date.now() / 1000);
const freshNonce = () => randomBytes(16).toString('base64url');

/** Sends a new event and returns the response, and whether the event is stored. */
async function outcomeOf(options: SignedSend, members: Partial<Event> = {}, sender = device) {
  const event = sender.event(members);
  const answer = await signedSend(service, sender, event, options);
  const stored = await service.client.send('GET', `/events/${event.event_id}`, {
    credential: device.tenant.credential,
  });
  return [answer.status, codeOf(answer), stored.status === 200];
}

const REFUSED = [401, 'invalid_signature', false];

describe('a request is rejected, and stores nothing, if', () => {
  test.each<[string, SignedSend]>([
    ['the digest is that of another body', { signed: { body: '{}' } }],
    ['the signature was made for another path', { signed: { path: '/events/batch' } }],
    ['the signature was made for another method', { signed: { method: 'PUT' } }],
    ['the path of the signature has a slash too many', { signed: { path: '/events/' } }],
    ['created is 301 s ago', { signer: { created: now() - 301 } }],
    ['created is more than 60 s ahead', { signer: { created: now() + 300 } }],
    ['keyid names an unknown device', { signer: { keyId: 'dev_unknown' } }],
    ['it is tagged as a registration', { signer: { tag: 'tps-register' } }],
    ['it does not cover the digest', { tamper: (headers) => withoutComponent(headers, 'content-digest') }],
    ['it lacks Signature', { tamper: ({ signature: _, ...headers }) => headers }],
    ['it lacks Signature-Input', { tamper: ({ 'signature-input': _, ...headers }) => headers }],
    ['it lacks Content-Digest', { tamper: ({ 'content-digest': _, ...headers }) => headers }],
    ['Signature is not a dictionary', { tamper: (headers) => ({ ...headers, signature: ':::' }) }],
    [
      'the algorithm is declared to be another',
      { tamper: (headers) => replaceInput(headers, 'ed25519', 'ecdsa-p256-sha256') },
    ],
    [
      'the nonce was changed after signing',
      { tamper: (headers) => replaceInput(headers, /nonce="[^"]+"/, `nonce="${freshNonce()}"`) },
    ],
    [
      'created was changed after signing',
      { tamper: (headers) => replaceInput(headers, /created=\d+/, `created=${now() - 2}`) },
    ],
    [
      'a header that it covers was changed',
      {
        extraHeaders: { 'x-note': 'as signed' },
        signer: { components: [...REQUIRED_COMPONENTS, 'x-note'] },
        tamper: (headers) => ({ ...headers, 'x-note': 'as changed' }),
      },
    ],
  ])('%s', async (what, options) => {
    const expected = what.includes('unknown device') ? [403, 'device_not_registered', false] : REFUSED;
    expect(await outcomeOf(options)).toEqual(expected);
  });

  test('one byte of the body was changed after signing', async () => {
    const event = device.event({ description: 'pay the tax' });
    const text = JSON.stringify(event);
    const changed = text.replace('pay', 'pay'.replace('y', 'x'));
    const answer = await signedSend(service, device, changed, { signed: { body: text } });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_signature']);
  });

  test('another device signed it', async () => {
    const other = await registerTestDevice(service);
    const signer = { privateKey: other.key.privateKey, algorithm: other.key.algorithm };
    expect(await outcomeOf({ signer })).toEqual(REFUSED);
    expect(await outcomeOf({ signer: { ...signer, keyId: other.deviceId } })).toEqual(REFUSED);
  });

  test('two signatures carry the tag of an event', async () => {
    const { privateKey, algorithm } = device.key;
    const signer = { privateKey, algorithm, keyId: device.deviceId, tag: 'tps-event' as const };
    expect(await outcomeOf({ signer: [signer, { ...signer, label: 'again' }] })).toEqual(REFUSED);
  });

  test('its device belongs to another tenant', async () => {
    const elsewhere = await registerTestDevice(service, { tenant: await service.createTenant() });
    const { credential, tenantId } = device.tenant;
    const expected = [403, 'device_not_registered', false];
    expect(await outcomeOf({ credential }, { tenant_id: tenantId }, elsewhere)).toEqual(expected);
    expect(await outcomeOf({ credential }, {}, elsewhere)).toEqual([403, 'tenant_mismatch', false]);
  });

  test('its device was revoked, as soon as that was confirmed', async () => {
    const revoked = await registerTestDevice(service);
    expect((await revoked.post(revoked.event())).status).toBe(201);
    const { credential } = revoked.tenant;
    const body = { status: 'revoked' };
    await service.client.send('PATCH', `/devices/${revoked.deviceId}`, { credential, body });
    expect(await outcomeOf({}, {}, revoked)).toEqual([403, 'device_revoked', false]);
  });
});

describe('a nonce is accepted once', () => {
  test('so the same request again is a replay, and the stored event stays', async () => {
    const event = device.event();
    const signer = { nonce: freshNonce(), created: now() };
    expect((await signedSend(service, device, event, { signer })).status).toBe(201);
    const again = await signedSend(service, device, event, { signer });
    expect([again.status, codeOf(again)]).toEqual([401, 'replayed_request']);
  });

  test('also with a different created time in another bucket', async () => {
    const nonce = freshNonce();
    expect(await outcomeOf({ signer: { nonce, created: now() - 290 } })).toEqual([201, undefined, true]);
    const expected = [401, 'replayed_request', false];
    expect(await outcomeOf({ signer: { nonce, created: now() } })).toEqual(expected);
    expect(await outcomeOf({ signer: { nonce, created: now() + 50 } })).toEqual(expected);
  });

  test('by one of many concurrent requests', async () => {
    const signer = { nonce: freshNonce(), created: now() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => outcomeOf({ signer })));
    expect(answers.map(([status]) => status).sort()).toEqual([201, ...Array(7).fill(401)]);
  });

  test('per device', async () => {
    const signer = { nonce: freshNonce() };
    const other = await registerTestDevice(service);
    expect(await outcomeOf({ signer })).toEqual([201, undefined, true]);
    expect(await outcomeOf({ signer }, {}, other)).toEqual([201, undefined, true]);
  });

  test('and a genuine request with an invalid body has used it up', async () => {
    const event = { ...device.event(), confidence: 2 };
    const signer = { nonce: freshNonce(), created: now() };
    const first = await signedSend(service, device, event, { signer });
    expect([first.status, codeOf(first)]).toEqual([400, 'invalid_field']);
    const second = await signedSend(service, device, event, { signer });
    expect([second.status, codeOf(second)]).toEqual([401, 'replayed_request']);
  });

  test('but a forged request has not', async () => {
    const nonce = freshNonce();
    const tamper: SignedSend['tamper'] = (headers) => ({
      ...headers,
      signature: `tps=:${'A'.repeat(86)}==:`,
    });
    expect(await outcomeOf({ signer: { nonce }, tamper })).toEqual(REFUSED);
    expect(await outcomeOf({ signer: { nonce } })).toEqual([201, undefined, true]);
  });
});

describe('a request is accepted', () => {
  test.each(SIGNATURE_ALGORITHMS)('with a key for %s', async (algorithm) => {
    const sender = await registerTestDevice(service, { algorithm });
    expect(await outcomeOf({}, {}, sender)).toEqual([201, undefined, true]);
  });

  test('with another label: only the tag defines the purpose of a signature', async () => {
    expect(await outcomeOf({ signer: { label: 'sig1' } })).toEqual([201, undefined, true]);
  });

  test('if its signature covers more than required', async () => {
    const extraHeaders = { 'x-note': 'hello' };
    const covered = ['@query', '@authority', '@scheme', '@target-uri', 'x-note', 'content-type'];
    const outcome = await outcomeOf({
      extraHeaders: { ...extraHeaders, 'content-type': 'application/json' },
      signer: { components: [...REQUIRED_COMPONENTS, ...covered] },
    });
    expect(outcome).toEqual([201, undefined, true]);
  });

  test('with a signature of another party beside it, under another tag', async () => {
    const other = await generateDeviceKey('ed25519');
    const { privateKey, algorithm } = device.key;
    const signer = { privateKey, algorithm, keyId: device.deviceId, tag: 'tps-event' as const };
    const beside = { ...signer, privateKey: other.privateKey, tag: 'tps-register' as const, label: 'beside' };
    expect(await outcomeOf({ signer: [beside, signer] })).toEqual([201, undefined, true]);
  });

  test('at the very edges of the window', async () => {
    expect(await outcomeOf({ signer: { created: now() - 297 } })).toEqual([201, undefined, true]);
    expect(await outcomeOf({ signer: { created: now() + 58 } })).toEqual([201, undefined, true]);
  });
});

function replaceInput(headers: Record<string, string>, part: string | RegExp, by: string) {
  return { ...headers, 'signature-input': (headers['signature-input'] ?? '').replace(part, by) };
}

function withoutComponent(headers: Record<string, string>, component: string) {
  return replaceInput(headers, ` "${component}"`, '');
}
