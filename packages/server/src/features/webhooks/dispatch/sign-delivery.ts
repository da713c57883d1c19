import { createHmac } from 'node:crypto';
import type { Secret } from '../../../platform/crypto/secret.ts';

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * Creates the headers of one attempt. `X-Service-Signature` covers the body; `webhook-signature` covers id, time
 * and body as defined by Standard Webhooks (https://www.standardwebhooks.com, version 1), for users of its
 * libraries. During the overlap of a rotation, both secrets sign.
 */
export function signDelivery(
  body: Buffer,
  parts: {
    eventId: string;
    idempotencyKey: string;
    timestampS: number;
    secret: Secret;
    previous: Secret | undefined;
  },
): Record<string, string> {
  const { eventId, timestampS, secret, previous } = parts;
  const head = `${eventId}.${timestampS}.`;
  const secrets = previous ? [secret, previous] : [secret];
  return {
    'content-type': 'application/json',
    'user-agent': 'Threat-Protection-Service-Webhooks/1',
    'x-service-signature': hmac(secret.reveal(), body).toString('hex'),
    ...(previous ? { 'x-service-signature-previous': hmac(previous.reveal(), body).toString('hex') } : {}),
    'x-service-timestamp': String(timestampS),
    'x-service-idempotency-key': parts.idempotencyKey,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': secrets
      .map((each) => `v1,${hmac(toStandardKey(each.reveal()), head, body).toString('base64')}`)
      .join(' '),
  };
}

/** Standard Webhooks libraries decode the part after `whsec_`; any other secret is used as is. */
function toStandardKey(secret: string): string | Buffer {
  const [, encoded] = STANDARD_SECRET.exec(secret) ?? [];
  return encoded === undefined ? secret : Buffer.from(encoded, 'base64');
}

function hmac(key: string | Buffer, ...parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}
