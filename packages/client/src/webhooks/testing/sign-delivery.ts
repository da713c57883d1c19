import { createHmac } from 'node:crypto';
import type { WebhookEvent } from '../webhook-body.ts';

export const SECRET = 'a-secret-of-the-tests-0123456789';
export const OLD_SECRET = 'the-secret-before-it-9876543210';
/** 2026-03-02T09:15:04Z */
export const NOW_S = 1_772_442_904;

export const EVENT: WebhookEvent = {
  event_id: 'evt_01hzy7q0x3',
  type: 'risk.event.created',
  timestamp: '2026-03-02T09:15:04.000Z',
  tenant_id: 'tnt_example',
  device_id: 'dev_pixel-7',
  threat_category: 'phishing',
  confidence: 0.93,
  action_taken: 'block',
  policy_id: 'pol_default-phishing',
  severity: 'high',
  description: 'A page that copies a bank – “Ångström”',
};

export interface DeliveryParts {
  readonly body?: string;
  readonly eventId?: string;
  readonly secret?: string;
  readonly previousSecret?: string;
  readonly timestampS?: number;
  readonly attempt?: number;
}

/** Signs a delivery as the service does, with a separate implementation from the code under test. */
export function signDelivery({
  body = JSON.stringify(EVENT),
  eventId = EVENT.event_id,
  secret = SECRET,
  previousSecret,
  timestampS = NOW_S,
  attempt = 1,
}: DeliveryParts = {}): { body: string; headers: Record<string, string> } {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
  const [signature = '', previous] = secrets.map((each) => hmac(each, body).toString('hex'));
  const standard = secrets.map(
    (each) => `v1,${hmac(standardKeyOf(each), `${eventId}.${timestampS}.${body}`).toString('base64')}`,
  );
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-signature': signature,
      ...(previous === undefined ? {} : { 'x-service-signature-previous': previous }),
      'x-service-timestamp': String(timestampS),
      'x-service-idempotency-key': `dlv_06ays3w8jrv2k7d1m5q9x4t0zc.${attempt}`,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestampS),
      'webhook-signature': standard.join(' '),
    },
  };
}

/** Removes the Standard Webhooks headers, as a strict proxy in front of the receiver might. */
export function withoutStandardHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('webhook-')));
}

function standardKeyOf(secret: string): string | Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret;
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data, 'utf8').digest();
}
