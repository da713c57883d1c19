import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBase64 } from './check-base64.ts';
import { decodeBase64 } from './decode-base64.ts';

function check(text: string): boolean {
  const steps = isBase64(Buffer.from(text, 'latin1'));
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

test('accepts what a thread can decode, and nothing else', () => {
  const part = fc.constantFrom(
    'QUJD',
    'QUI=',
    'QQ==',
    '=',
    '\\/',
    '\\u0041',
    '\\u00e4',
    '\\n',
    '\\',
    '\\u12',
    ' ',
    'A',
    'ä',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(check(text)).toBe(decodeBase64(Buffer.from(text, 'latin1')) !== undefined);
    }),
    { numRuns: 2_000 },
  );
});

test('examines a large body in steps', () => {
  const steps = isBase64(Buffer.alloc(1_000_000, 'A'));
  let count = 0;
  while (!steps.next().done) count += 1;
  expect(count).toBeGreaterThan(10);
});
