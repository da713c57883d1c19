import { execFileSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { Secret } from '../crypto/secret.ts';
import { signDelivery, toSigningSecret } from './sign-delivery.ts';

const BODY = '{"event_id":"evt_1","description":"Grüße ✓"}';
const RAW = 'a-secret-of-thirty-two-characters';
const STANDARD = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

const toSecret = (secret: string) => toSigningSecret(new Secret(secret));

function sign(secret: string, previous?: string) {
  return signDelivery(Buffer.from(BODY), {
    eventId: 'evt_1',
    idempotencyKey: 'dlv_1.2',
    timestampS: Math.floor(Date.now() / 1000),
    secrets: previous === undefined ? [toSecret(secret)] : [toSecret(secret), toSecret(previous)],
  });
}

test('the signature of the body equals that of openssl', () => {
  const args = ['dgst', '-sha256', '-hmac', RAW, '-hex'];
  const [digest] =
    execFileSync('openssl', args, { input: BODY })
      .toString()
      .match(/[0-9a-f]{64}/) ?? [];
  expect(sign(RAW)['x-service-signature']).toBe(digest);
});

test('without a rotation there is one signature of each kind', () => {
  const headers = sign(RAW);
  expect(headers).not.toHaveProperty('x-service-signature-previous');
  expect(headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('during the overlap of a rotation, the old secret signs too, each in its place', () => {
  const headers = sign(RAW, 'the-secret-before');
  expect(headers['x-service-signature']).toBe(sign(RAW)['x-service-signature']);
  expect(headers['x-service-signature-previous']).toBe(sign('the-secret-before')['x-service-signature']);
  for (const secret of [RAW, 'the-secret-before']) {
    expect(() => new Webhook(secret, { format: 'raw' }).verify(BODY, headers)).not.toThrow();
  }
});

test('Standard Webhooks libraries accept a secret in their format', () => {
  expect(new Webhook(STANDARD).verify(BODY, sign(STANDARD))).toEqual(JSON.parse(BODY));
  expect(() => new Webhook(STANDARD).verify(`${BODY} `, sign(STANDARD))).toThrow();
});
