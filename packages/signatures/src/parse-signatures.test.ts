import { describe, expect, test } from 'vitest';
import { contentDigest } from './content-digest.ts';
import { parseSignatures } from './parse-signatures.ts';
import type { SignedMessage } from './signature-base.ts';
import { SignatureError } from './signature-error.ts';
import { BODY, NONCE, toMessage } from './testing/signed-request.ts';

const COVERED = '"@method" "@path" "content-digest"';
const PARAMETERS = `;created=1700000000;nonce="${NONCE}";keyid="dev_1";alg="ed25519";tag="tps-event"`;
const VALUE = `:${Buffer.alloc(64, 7).toString('base64')}:`;
const DIGEST = contentDigest(BODY);

function messageWith(
  headers: Readonly<Record<string, string>>,
  target: Partial<SignedMessage> = {},
): SignedMessage {
  return toMessage({ 'content-digest': DIGEST, signature: `tps=${VALUE}`, ...headers }, target);
}

const withInput = (covered: string, parameters = PARAMETERS) =>
  messageWith({ 'signature-input': `tps=(${covered})${parameters}` });

describe('parseSignatures', () => {
  test('parses each part of a signature and rebuilds its base', () => {
    expect(parseSignatures(withInput(COVERED))).toEqual([
      {
        label: 'tps',
        components: ['@method', '@path', 'content-digest'],
        created: 1_700_000_000,
        nonce: NONCE,
        keyId: 'dev_1',
        algorithm: 'ed25519',
        tag: 'tps-event',
        base: `"@method": POST\n"@path": /events\n"content-digest": ${DIGEST}\n"@signature-params": (${COVERED})${PARAMETERS}`,
        value: new Uint8Array(64).fill(7),
      },
    ]);
  });

  test('keeps unknown parameters of every type in the base, in the order received', () => {
    const parameters = `;zeta;b=?0;n=-1.5;t=tok/en;bin=:AAE=:;q="a\\"b\\\\"${PARAMETERS};expires=1700000300`;
    const [signature] = parseSignatures(withInput(COVERED, parameters));
    expect(signature?.base.split('\n').at(-1)).toBe(`"@signature-params": (${COVERED})${parameters}`);
    expect(signature?.expires).toBe(1_700_000_300);
  });

  test('ignores optional whitespace, which the base does not contain', () => {
    const [signature] = parseSignatures(
      messageWith({ 'signature-input': ` tps=(  ${COVERED} )${PARAMETERS.replaceAll(';', '; ')} ` }),
    );
    expect(signature?.base.endsWith(`(${COVERED})${PARAMETERS}`)).toBe(true);
  });

  test('parses up to four signatures in the order of Signature-Input', () => {
    const many = (count: number) => {
      const labels = Array.from({ length: count }, (_, index) => `s${index}`);
      return messageWith({
        'signature-input': labels.map((label) => `${label}=(${COVERED})${PARAMETERS}`).join(', '),
        signature: labels
          .toReversed()
          .map((label) => `${label}=${VALUE}`)
          .join(', '),
      });
    };
    expect(parseSignatures(many(4)).map(({ label }) => label)).toEqual(['s0', 's1', 's2', 's3']);
    expect(() => parseSignatures(many(5))).toThrow(/at most 4/);
  });

  test('trims a covered field and accepts an empty one', () => {
    const message = messageWith({
      'signature-input': `tps=(${COVERED} "x-note" "x-empty")${PARAMETERS}`,
      'x-note': ' \ta,  b\t',
      'x-empty': '',
    });
    expect(parseSignatures(message)[0]?.base).toContain('\n"x-note": a,  b\n"x-empty": \n');
  });

  test.each([
    ['no "@method"', '"@path" "content-digest"', /does not cover "@method"/],
    ['no "@path"', '"@method" "content-digest"', /does not cover "@path"/],
    ['no "content-digest"', '"@method" "@path"', /does not cover "content-digest"/],
    ['nothing', '', /does not cover/],
    ['"@path" only as a token', '"@method" path "content-digest"', /not a string/],
    ['a component twice', `${COVERED} "@path"`, /covered twice/],
    ['a missing header', `${COVERED} "x-absent"`, /"x-absent" is missing/],
    ['a header in upper case', `${COVERED} "Content-Type"`, /lower case/],
    ['a name that would break its line', `${COVERED} "a\\": b"`, /header field name/],
    ['a name that is empty', `${COVERED} ""`, /header field name/],
    ['the signature parameters themselves', `${COVERED} "@signature-params"`, /not supported/],
    ['the status of a response', `${COVERED} "@status"`, /not supported/],
    ['a query parameter', `${COVERED} "@query-param";name="a"`, /Component parameters/],
    ['an unknown authority', `${COVERED} "@authority"`, /no valid value/],
    [
      '33 components',
      `${COVERED} ${Array.from({ length: 30 }, (_, i) => `"x-${i}"`).join(' ')}`,
      /at most 32/,
    ],
    ...['sf', 'bs', 'key="a"', 'req', 'tr', 'name="a"', 'other'].map(
      (parameter) =>
        [`;${parameter}`, `"@method" "@path" "content-digest";${parameter}`, /Component parameters/] as const,
    ),
  ] as const)('refuses a signature that covers %s', (_, covered, message) => {
    expect(() => parseSignatures(withInput(covered))).toThrow(SignatureError);
    expect(() => parseSignatures(withInput(covered))).toThrow(message);
  });

  test.each([
    ['no created', /;created=\d+/, '', /"created"/],
    ['created as a string', /created=(\d+)/, 'created="$1"', /"created"/],
    ['created with a fraction', /created=(\d+)/, 'created=$1.5', /"created"/],
    ['created as a token', /created=\d+/, 'created=now', /"created"/],
    ['created before 1970', /created=(\d+)/, 'created=-$1', /"created"/],
    ['created beyond the largest integer', /created=(\d+)/, 'created=$1$1', /dictionary/],
    ['expires as a string', /$/, ';expires="soon"', /"expires"/],
    ['no nonce', /;nonce="[^"]*"/, '', /"nonce"/],
    ['a nonce below 16 bytes', /nonce="[^"]*"/, `nonce="${'A'.repeat(21)}"`, /"nonce"/],
    ['a nonce beyond 128 characters', /nonce="[^"]*"/, `nonce="${'A'.repeat(129)}"`, /"nonce"/],
    ['a nonce outside base64url', /nonce="[^"]*"/, `nonce="${'A'.repeat(21)}+"`, /"nonce"/],
    ['a nonce as bytes', /nonce="([^"]*)"/, 'nonce=:$1==:', /"nonce"/],
    ['no keyid', /;keyid="[^"]*"/, '', /"keyid"/],
    ['an empty keyid', /keyid="[^"]*"/, 'keyid=""', /"keyid"/],
    ['an overlong keyid', /keyid="[^"]*"/, `keyid="${'k'.repeat(129)}"`, /"keyid"/],
    ['no alg', /;alg="[^"]*"/, '', /"alg"/],
    ['alg as a token', /alg="([^"]*)"/, 'alg=$1', /"alg"/],
    ['a symmetric alg', /alg="[^"]*"/, 'alg="hmac-sha256"', /"alg"/],
    ['an alg named like a member of every object', /alg="[^"]*"/, 'alg="constructor"', /"alg"/],
    ['no tag', /;tag="[^"]*"/, '', /"tag"/],
    ['the tag of another application', /tag="[^"]*"/, 'tag="web-bot-auth"', /"tag"/],
  ] as const)('refuses a signature with %s', (_, from, to, message) => {
    const parameters = PARAMETERS.replace(from, to);
    expect(parameters).not.toBe(PARAMETERS);
    expect(() => parseSignatures(withInput(COVERED, parameters))).toThrow(SignatureError);
    expect(() => parseSignatures(withInput(COVERED, parameters))).toThrow(message);
  });

  const INPUT = `tps=(${COVERED})${PARAMETERS}`;
  test.each<[string, Record<string, string>, RegExp]>([
    ['an empty Signature-Input', { 'signature-input': ' ' }, /Signature-Input is missing/],
    ['an empty Signature', { 'signature-input': INPUT, signature: '' }, /Signature is missing/],
    ['broken syntax', { 'signature-input': `${INPUT},` }, /not a structured dictionary/],
    ['an input that is not a list', { 'signature-input': 'tps="x"' }, /not a list of components/],
    ['an input without a value', { 'signature-input': 'tps' }, /not a list of components/],
    [
      'an overlong label',
      { 'signature-input': INPUT.replace('tps', 'l'.repeat(65)) },
      /not a list of components/,
    ],
    ['a value under another label', { 'signature-input': INPUT, signature: `sig=${VALUE}` }, /byte sequence/],
    [
      'an extra value',
      { 'signature-input': INPUT, signature: `tps=${VALUE}, sig=${VALUE}` },
      /must have the same labels/,
    ],
    ['a value that is a string', { 'signature-input': INPUT, signature: 'tps="AAAA"' }, /byte sequence/],
    ['a value that is a list', { 'signature-input': INPUT, signature: 'tps=(:AAAA:)' }, /byte sequence/],
    ['a value without bytes', { 'signature-input': INPUT, signature: 'tps=::' }, /byte sequence/],
    ['invalid base64', { 'signature-input': INPUT, signature: 'tps=:A:' }, /not a structured dictionary/],
    [
      'an overlong Signature-Input',
      { 'signature-input': `${INPUT};x="${'a'.repeat(4096)}"` },
      /longer than 4096/,
    ],
    [
      'an overlong Signature',
      { 'signature-input': INPUT, signature: `tps=:${'A'.repeat(4096)}:` },
      /longer than/,
    ],
    [
      'a covered header with a line break',
      { 'signature-input': `tps=(${COVERED} "x")${PARAMETERS}`, x: 'a\n"@method": GET' },
      /cannot be signed/,
    ],
    [
      'a covered header beyond ASCII',
      { 'signature-input': `tps=(${COVERED} "x")${PARAMETERS}`, x: 'é' },
      /cannot/,
    ],
  ])('refuses %s', (_, headers, message) => {
    expect(() => parseSignatures(messageWith(headers))).toThrow(SignatureError);
    expect(() => parseSignatures(messageWith(headers))).toThrow(message);
  });

  test('refuses a message without the two headers', () => {
    expect(() => parseSignatures(toMessage({}))).toThrow(/Signature-Input is missing/);
    expect(() => parseSignatures(toMessage({ 'signature-input': INPUT }))).toThrow(/Signature is missing/);
  });

  test.each<[string, Partial<SignedMessage>]>([
    ['a path with a line break', { path: '/events\n"@method": GET' }],
    ['a path that still has its query', { path: '/events?a=1' }],
    ['a path that is not absolute', { path: 'events' }],
    ['a method that is not a token', { method: 'PO ST' }],
  ])('refuses %s', (_, target) => {
    expect(() => parseSignatures(messageWith({ 'signature-input': INPUT }, target))).toThrow(
      /no valid value/,
    );
  });
});
