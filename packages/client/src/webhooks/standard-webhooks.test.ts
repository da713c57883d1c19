import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { EVENT, SECRET, signDelivery } from './testing/sign-delivery.ts';
import { verifyWebhook } from './verify-webhook.ts';

const WHSEC = `whsec_${Buffer.from('24 bytes of a random key').toString('base64')}`;
const nowS = () => Math.floor(Date.now() / 1000);

const secrets: [string, string, Webhook][] = [
  ['a plain secret', SECRET, new Webhook(SECRET, { format: 'raw' })],
  ['a whsec_ secret', WHSEC, new Webhook(WHSEC)],
];

test.each(secrets)('a Standard Webhooks library verifies a delivery signed with %s', (_, secret, library) => {
  const { body, headers } = signDelivery({ secret, timestampS: nowS() });
  expect(library.verify(body, headers)).toEqual(EVENT);
  expect(() => library.verify(`${body} `, headers)).toThrow('No matching signature found');
});

test.each(secrets)('and during a rotation with %s as the old one', (_, previousSecret, library) => {
  const { body, headers } = signDelivery({ secret: 'the next secret', previousSecret, timestampS: nowS() });
  expect(library.verify(body, headers)).toEqual(EVENT);
});

test.each(secrets)(
  'a delivery signed by a Standard Webhooks library with %s verifies',
  async (_, secret, library) => {
    const timestampS = nowS();
    const rawBody = JSON.stringify(EVENT);
    const headers = {
      'webhook-id': EVENT.event_id,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': library.sign(EVENT.event_id, new Date(timestampS * 1000), rawBody),
      'x-service-timestamp': String(timestampS),
      'x-service-idempotency-key': 'dlv_1.1',
      'x-service-signature': createHmac('sha256', secret).update(rawBody).digest('hex'),
    };
    const verified = await verifyWebhook({
      headers,
      rawBody,
      secrets: [secret],
      requireSignedTimestamp: true,
    });
    expect(verified).toMatchObject({ event: EVENT, isTimestampSigned: true });
  },
);
