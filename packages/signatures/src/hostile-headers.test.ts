import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyContentDigest } from './content-digest.ts';
import { parseSignatures } from './parse-signatures.ts';
import { SignatureError } from './signature-error.ts';
import { BODY, signedMessage, toMessage } from './testing/signed-request.ts';

const FRAGMENTS = fc.constantFrom(
  ...[
    'tps',
    'old',
    '=',
    '(',
    ')',
    '"',
    '"@method"',
    '"@path"',
    '"content-digest"',
    ';',
    'created',
    'nonce',
    'alg',
  ],
  ...[
    'keyid',
    'tag',
    '1700000000',
    '-',
    '.',
    ':',
    'AAAA',
    '==',
    ',',
    ' ',
    '\t',
    '?1',
    '@1',
    '%"',
    '%c3',
    '\\',
    '*',
  ],
  ...['\u0000', '\n', 'é', '\ud800'],
);
const soup = fc.array(FRAGMENTS, { maxLength: 60 }).map((parts) => parts.join(''));
const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }), soup);

function refusal(headers: Record<string, string>): unknown {
  try {
    parseSignatures(toMessage(headers));
    return undefined;
  } catch (error) {
    return error;
  }
}

test('for any pair of headers the parser throws only SignatureError', () => {
  fc.assert(
    fc.property(anything, anything, anything, (input, signature, digest) => {
      const error = refusal({ 'signature-input': input, signature, 'content-digest': digest });
      expect(error).toBeInstanceOf(SignatureError);
    }),
    { numRuns: 3000 },
  );
});

test('for a genuine header with a part replaced the parser throws only SignatureError', async () => {
  const genuine = await signedMessage();
  const headers = Object.fromEntries(
    ['signature-input', 'signature', 'content-digest'].map((name) => [name, genuine.header(name) ?? '']),
  );
  const edits = fc.tuple(
    fc.constantFrom('signature-input', 'signature', 'content-digest'),
    fc.nat(250),
    fc.nat(12),
    fc.oneof(soup, FRAGMENTS),
  );
  fc.assert(
    fc.property(edits, ([name, at, length, inserted]) => {
      const header = headers[name] ?? '';
      const changed = header.slice(0, at) + inserted + header.slice(at + length);
      const error = refusal({ ...headers, [name]: changed });
      expect(error === undefined || error instanceof SignatureError).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('the digest check never throws and never passes by chance', () => {
  fc.assert(
    fc.property(anything, (header) => {
      expect(verifyContentDigest(header, BODY)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('headers of the maximum length are refused in linear time', () => {
  const longest = [' '.repeat(4096), `a=${'('.repeat(4094)}`, `a=("${'\\"'.repeat(2046)}`, ';'.repeat(4096)];
  const before = process.cpuUsage();
  for (const header of longest) {
    expect(refusal({ 'signature-input': header, signature: header })).toBeInstanceOf(SignatureError);
  }
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
});
