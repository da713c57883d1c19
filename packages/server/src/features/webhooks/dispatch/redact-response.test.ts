import { expect, test } from 'vitest';
import { Secret } from '../../../platform/crypto/secret.ts';
import { redactResponse } from './redact-response.ts';

const TEXT = 'q7"Zk\\4x&M<9>s%2+Hn/8Jw=3Rv?Td#5';
const SECRETS = [new Secret(TEXT)];
const bytes = Buffer.from(TEXT);

test.each([
  ['as it is', TEXT],
  ['in JSON', JSON.stringify(TEXT).slice(1, -1)],
  ['in a URL', encodeURIComponent(TEXT)],
  ['in HTML', 'q7&quot;Zk\\4x&amp;M&lt;9&gt;s%2+Hn/8Jw=3Rv?Td#5'],
  ['in base64', bytes.toString('base64')],
  ['in base64url', bytes.toString('base64url')],
  ['in hexadecimal', bytes.toString('hex')],
])('a secret is removed %s, wherever and however often it occurs', (_, form) => {
  expect(redactResponse(`${form} and ${form}.`, SECRETS)).toBe('[secret] and [secret].');
});

test.each([4, 10, TEXT.length - 1])('the first %i characters are removed from a truncated end', (length) => {
  expect(redactResponse(`key=${TEXT.slice(0, length)}`, SECRETS)).toBe('key=[secret]');
});

test('an end that only slightly resembles a secret stays', () => {
  expect(redactResponse('the answer is q7"', SECRETS)).toBe('the answer is q7"');
});

test('each of several secrets is removed', () => {
  const secrets = [new Secret('the-secret-of-today'), new Secret('the-secret-before')];
  expect(redactResponse('the-secret-before, the-secret-of-today', secrets)).toBe('[secret], [secret]');
});

test('the key part of a Standard Webhooks secret is removed too', () => {
  const key = Buffer.alloc(24, 7).toString('base64');
  expect(redactResponse(`key: ${key}`, [new Secret(`whsec_${key}`)])).toBe('key: [secret]');
});

test('credentials of this service are removed', () => {
  expect(redactResponse('Bearer svc_live_abc-DEF_123, please', [])).toBe('Bearer [credential], please');
});

test('text without a secret stays as it is', () => {
  expect(redactResponse('<h1>Bad gateway</h1>\n', SECRETS)).toBe('<h1>Bad gateway</h1>\n');
});
