import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EVENT,
  NOW_S,
  OLD_SECRET,
  SECRET,
  signDelivery,
  withoutStandardHeaders,
} from './testing/sign-delivery.ts';
import { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
import type { WebhookHeaders } from './webhook-headers.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

const genuine = signDelivery();
const bodyBytes = new TextEncoder().encode(genuine.body);

function verify(changes: Partial<VerifyWebhookOptions> = {}) {
  return verifyWebhook({
    headers: genuine.headers,
    rawBody: genuine.body,
    secrets: [SECRET],
    nowS: NOW_S,
    ...changes,
  });
}

/** Returns the code of the refusal, and checks that it reveals nothing. */
async function codeOf(verification: Promise<unknown>): Promise<string> {
  const error = await verification.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error('expected a refusal', { cause: error });
  const told = `${error.message} ${String(error.stack)} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of [
    SECRET,
    OLD_SECRET,
    ...Object.values(genuine.headers).filter(({ length }) => length > 40),
  ]) {
    expect(told).not.toContain(secret);
  }
  return error.code;
}

test('a genuine delivery returns the event, its id, the attempt and the time', async () => {
  expect(await verify()).toEqual({
    event: EVENT,
    eventId: EVENT.event_id,
    idempotencyKey: 'dlv_06ays3w8jrv2k7d1m5q9x4t0zc.1',
    timestamp: NOW_S,
    isTimestampSigned: true,
  });
});

test('the clock determines the current time by default', async () => {
  const { body, headers } = signDelivery({ timestampS: Math.floor(Date.now() / 1000) });
  await verifyWebhook({ headers, rawBody: body, secrets: [SECRET] });
  expect(await codeOf(verifyWebhook({ ...genuine, rawBody: genuine.body, secrets: [SECRET] }))).toBe(
    'timestamp_out_of_tolerance',
  );
});

test.each<[string, VerifyWebhookOptions['rawBody']]>([
  ['a string', genuine.body],
  ['bytes', bodyBytes],
  ['an ArrayBuffer', bodyBytes.slice().buffer],
  [
    'a part of a larger buffer',
    Buffer.concat([Buffer.from('{}'), bodyBytes, Buffer.from('{}')]).subarray(2, -2),
  ],
])('the body may be %s', async (_, rawBody) => {
  expect((await verify({ rawBody })).event).toEqual(EVENT);
});

const upperCase = Object.fromEntries(
  Object.entries(genuine.headers).map(([name, value]) => [name.toUpperCase(), value]),
);
const lists = Object.fromEntries(Object.entries(genuine.headers).map(([name, value]) => [name, [value]]));
const ofNode: IncomingHttpHeaders = { ...genuine.headers, 'set-cookie': ['a', 'b'], host: undefined };

test.each<[string, WebhookHeaders]>([
  ['a Headers', new Headers(genuine.headers)],
  ['those of node:http', ofNode],
  ['a record in upper case', upperCase],
  ['a record of lists', lists],
])('the headers may be %s', async (_, headers) => {
  expect((await verify({ headers })).event).toEqual(EVENT);
});

test('a body with any flipped bit is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: bodyBytes.length * 8 - 1 }), fc.boolean(), async (bit, isStandard) => {
      const rawBody = bodyBytes.slice();
      rawBody.set([(rawBody[bit >> 3] ?? 0) ^ (1 << (bit & 7))], bit >> 3);
      const headers = isStandard ? genuine.headers : withoutStandardHeaders(genuine.headers);
      expect(await codeOf(verify({ rawBody, headers }))).toBe('signature_mismatch');
    }),
    { numRuns: 500 },
  );
});

test('a body with a byte more or less is refused', async () => {
  for (const rawBody of [`${genuine.body}\n`, ` ${genuine.body}`, genuine.body.slice(0, -1), '']) {
    expect(await codeOf(verify({ rawBody }))).toBe('signature_mismatch');
  }
});

test('any other secret is refused, also a prefix or one with a trailing space', async () => {
  for (const secret of [OLD_SECRET, SECRET.slice(0, -1), `${SECRET} `, SECRET.toUpperCase(), 'x']) {
    expect(await codeOf(verify({ secrets: [secret] }))).toBe('signature_mismatch');
  }
});

test('a valid body signature is not enough when webhook-signature is wrong', async () => {
  const { headers } = signDelivery({ secret: OLD_SECRET });
  const mixed = { ...genuine.headers, 'webhook-signature': headers['webhook-signature'] };
  expect(await codeOf(verify({ headers: mixed }))).toBe('signature_mismatch');
});

test('a valid webhook-signature is not enough when X-Service-Signature is wrong', async () => {
  const { headers } = signDelivery({ secret: OLD_SECRET });
  const mixed = { ...genuine.headers, 'x-service-signature': headers['x-service-signature'] };
  expect(await codeOf(verify({ headers: mixed }))).toBe('signature_mismatch');
});

test('each of several secrets is accepted', async () => {
  for (const secrets of [
    [OLD_SECRET, SECRET],
    [SECRET, OLD_SECRET],
  ]) {
    expect((await verify({ secrets })).eventId).toBe(EVENT.event_id);
  }
});

test('during a rotation a receiver with either secret or both accepts', async () => {
  const { body, headers } = signDelivery({ secret: SECRET, previousSecret: OLD_SECRET });
  for (const sent of [headers, withoutStandardHeaders(headers)]) {
    for (const secrets of [[SECRET], [OLD_SECRET], [SECRET, OLD_SECRET]]) {
      expect((await verify({ headers: sent, rawBody: body, secrets })).eventId).toBe(EVENT.event_id);
    }
    expect(await codeOf(verify({ headers: sent, rawBody: body, secrets: ['a third one'] }))).toBe(
      'signature_mismatch',
    );
  }
});

test('a delivery is accepted up to the tolerance, in either direction', async () => {
  for (const headers of [genuine.headers, withoutStandardHeaders(genuine.headers)]) {
    for (const nowS of [NOW_S - 300, NOW_S + 300]) await verify({ headers, nowS });
    for (const nowS of [NOW_S - 301, NOW_S + 301, 0, NOW_S * 1000]) {
      expect(await codeOf(verify({ headers, nowS }))).toBe('timestamp_out_of_tolerance');
    }
  }
  await verify({ nowS: NOW_S + 10, toleranceS: 10 });
  expect(await codeOf(verify({ nowS: NOW_S + 11, toleranceS: 10 }))).toBe('timestamp_out_of_tolerance');
  await verify({ toleranceS: 0 });
});

test('a recorded delivery cannot be sent again with a new time', async () => {
  const nowS = NOW_S + 86_400;
  const renewed = { ...genuine.headers, 'x-service-timestamp': String(nowS) };
  expect(await codeOf(verify({ headers: renewed, nowS }))).toBe('headers_disagree');
  const everywhere = { ...renewed, 'webhook-timestamp': String(nowS) };
  expect(await codeOf(verify({ headers: everywhere, nowS }))).toBe('signature_mismatch');
});

test('a delivery without webhook-* headers is accepted, marked, and can be refused', async () => {
  const headers = withoutStandardHeaders(genuine.headers);
  expect(await verify({ headers })).toMatchObject({ eventId: EVENT.event_id, isTimestampSigned: false });
  expect(await codeOf(verify({ headers, requireSignedTimestamp: true }))).toBe('missing_header');
  expect(await verify({ requireSignedTimestamp: true })).toMatchObject({ isTimestampSigned: true });
});

test.each(Object.keys(genuine.headers).filter((name) => name !== 'content-type'))(
  'a delivery without only %s is refused',
  async (name) => {
    const { [name]: _, ...headers } = genuine.headers;
    expect(await codeOf(verify({ headers }))).toBe('missing_header');
    expect(await codeOf(verify({ headers: new Headers(headers) }))).toBe('missing_header');
  },
);

test.each(
  Object.keys(signDelivery({ previousSecret: OLD_SECRET }).headers).filter((name) => name !== 'content-type'),
)('%s twice is refused, even when both are the same', async (name) => {
  const { body, headers } = signDelivery({ previousSecret: OLD_SECRET });
  const value = headers[name] ?? '';
  const asHeaders = new Headers(headers);
  asHeaders.append(name, value);
  for (const twice of [
    { ...headers, [name]: [value, value] },
    { ...headers, [name.toUpperCase()]: value },
    asHeaders,
  ]) {
    expect(await codeOf(verify({ headers: twice, rawBody: body }))).toBe('malformed_header');
  }
});

const signature = genuine.headers['x-service-signature'] ?? '';
const standard = genuine.headers['webhook-signature'] ?? '';

test.each([
  ['x-service-signature', signature.toUpperCase()],
  ['x-service-signature', signature.slice(0, -1)],
  ['x-service-signature', `${signature}0`],
  ['x-service-signature', `sha256=${signature}`],
  ['x-service-signature', `${signature}\n`],
  ['x-service-signature', ''],
  ['x-service-signature', Buffer.from(signature, 'hex').toString('base64')],
  ['x-service-signature-previous', 'g'.repeat(64)],
  ['x-service-timestamp', `${NOW_S}.0`],
  ['x-service-timestamp', `0${NOW_S}`],
  ['x-service-timestamp', `+${NOW_S}`],
  ['x-service-timestamp', ` ${NOW_S}`],
  ['x-service-timestamp', '1e9'],
  ['x-service-timestamp', '0x69a5'],
  ['x-service-timestamp', 'NaN'],
  ['x-service-timestamp', ''],
  ['x-service-timestamp', '9'.repeat(400)],
  ['x-service-timestamp', '2026-03-02T09:15:04Z'],
  ['x-service-idempotency-key', ''],
  ['x-service-idempotency-key', 'a b'],
  ['x-service-idempotency-key', 'k'.repeat(257)],
  ['webhook-timestamp', `${NOW_S} `],
  ['webhook-id', ''],
  ['webhook-id', 'i'.repeat(257)],
  ['webhook-signature', ''],
  ['webhook-signature', standard.slice('v1,'.length)],
  ['webhook-signature', standard.replace('v1,', 'v2,')],
  ['webhook-signature', standard.slice(0, -1)],
  ['webhook-signature', `${standard} v1,`],
  ['webhook-signature', Array.from({ length: 17 }, () => standard).join(' ')],
])('%s with the value %j is refused as malformed', async (name, value) => {
  expect(await codeOf(verify({ headers: { ...genuine.headers, [name]: value } }))).toBe('malformed_header');
});

test('a header that is not a string is refused', async () => {
  const headers = { ...genuine.headers, 'x-service-timestamp': NOW_S } as unknown as WebhookHeaders;
  expect(await codeOf(verify({ headers }))).toBe('malformed_header');
});

test('signatures of future versions beside v1 are ignored', async () => {
  const headers = { ...genuine.headers, 'webhook-signature': `v1a,unknown v2,else ${standard}` };
  expect((await verify({ headers })).isTimestampSigned).toBe(true);
});

test('an id in the header that differs from the id in the body is refused', async () => {
  const { body, headers } = signDelivery({ eventId: 'evt_another' });
  expect(await codeOf(verify({ headers, rawBody: body }))).toBe('headers_disagree');
});

test('a body over the limit is refused before it is parsed', async () => {
  const limit = { bodyLimitBytes: bodyBytes.length };
  await verify(limit);
  for (const rawBody of [`${genuine.body} `, new Uint8Array(bodyBytes.length + 1)]) {
    expect(await codeOf(verify({ ...limit, rawBody }))).toBe('body_too_large');
  }
  // Within the limit in characters, but not in bytes.
  const wide = { rawBody: 'é'.repeat(bodyBytes.length) };
  expect(await codeOf(verify({ ...limit, ...wide }))).toBe('body_too_large');
  expect(await codeOf(verify({ rawBody: 'x'.repeat(1_048_577) }))).toBe('body_too_large');
  expect(await codeOf(verify({ rawBody: 'x'.repeat(1_048_576) }))).toBe('signature_mismatch');
});

test.each([
  ['', 'body_not_json'],
  ['{"event_id":"evt_1"', 'body_not_json'],
  ['\ufeff{"event_id":"evt_1"}', 'body_not_json'],
  ['null', 'body_not_event'],
  ['[]', 'body_not_event'],
  ['"evt_1"', 'body_not_event'],
  ['{}', 'body_not_event'],
  ['{"event_id":1}', 'body_not_event'],
  ['{"event_id":""}', 'body_not_event'],
  [`{"event_id":"${'e'.repeat(129)}"}`, 'body_not_event'],
  ['{"event_id":"a\\nb"}', 'body_not_event'],
])('the signed body %j is refused as %s', async (body, code) => {
  const { headers } = signDelivery({ body });
  expect(await codeOf(verify({ headers, rawBody: body }))).toBe(code);
});

test('a signed body that is not UTF-8 is refused', async () => {
  const rawBody = Buffer.from('7b226576656e745f6964223a22ff227d', 'hex');
  const hex = createHmac('sha256', SECRET).update(rawBody).digest('hex');
  const headers = { ...withoutStandardHeaders(genuine.headers), 'x-service-signature': hex };
  expect(await codeOf(verify({ headers, rawBody }))).toBe('body_not_json');
});

test('an invalid call is a TypeError, not a refusal', async () => {
  const wrong: Partial<Record<keyof VerifyWebhookOptions, unknown>>[] = [
    { secrets: [] },
    { secrets: [''] },
    { secrets: [SECRET, ''] },
    { secrets: SECRET },
    { secrets: undefined },
    { secrets: [undefined] },
    { rawBody: EVENT },
    { rawBody: undefined },
    { toleranceS: Number.NaN },
    { toleranceS: Number.POSITIVE_INFINITY },
    { toleranceS: -1 },
    { toleranceS: '300' },
    { bodyLimitBytes: Number.NaN },
    { nowS: Number.NaN },
  ];
  for (const changes of wrong) {
    await expect(verify(changes as Partial<VerifyWebhookOptions>)).rejects.toBeInstanceOf(TypeError);
  }
  const single = SECRET as unknown as readonly string[];
  await expect(verify({ secrets: single })).rejects.toThrow('secrets must be an array');
});
