import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Secret } from '../crypto/secret.ts';

const STANDARD_SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * A secret with its keys. An HMAC of 1 KB takes 3 µs with a key object, 4 µs with a string and 20 µs with a buffer as
 * its key.
 */
export interface SigningSecret {
  readonly secret: Secret;
  readonly key: KeyObject;
  readonly standardKey: KeyObject;
}

export function toSigningSecret(secret: Secret): SigningSecret {
  const text = secret.reveal();
  const [, encoded] = STANDARD_SECRET.exec(text) ?? [];
  const key = createSecretKey(text, 'utf8');
  // Standard Webhooks libraries decode the part after `whsec_`; any other secret is used as is.
  return { secret, key, standardKey: encoded === undefined ? key : createSecretKey(encoded, 'base64') };
}

/**
 * Creates the headers of one attempt. `X-Service-Signature` covers the body; `webhook-signature` covers id, time
 * and body as defined by Standard Webhooks (https://www.standardwebhooks.com, version 1), for users of its
 * libraries. During the overlap of a rotation, the previous secret signs too.
 */
export function signDelivery(
  body: Buffer,
  parts: {
    eventId: string;
    idempotencyKey: string;
    timestampS: number;
    /** The current secret and, during an overlap, the previous one. */
    secrets: readonly [SigningSecret, SigningSecret?];
  },
): Record<string, string> {
  const { eventId, timestampS, secrets } = parts;
  const [current, previous] = secrets;
  const standard = (each: SigningSecret) => {
    const hmac = createHmac('sha256', each.standardKey).update(`${eventId}.${timestampS}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  };
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Threat-Protection-Service-Webhooks/1',
    'x-service-signature': createHmac('sha256', current.key).update(body).digest('hex'),
    'x-service-timestamp': String(timestampS),
    'x-service-idempotency-key': parts.idempotencyKey,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': previous ? `${standard(current)} ${standard(previous)}` : standard(current),
  };
  if (previous) {
    headers['x-service-signature-previous'] = createHmac('sha256', previous.key).update(body).digest('hex');
  }
  return headers;
}
