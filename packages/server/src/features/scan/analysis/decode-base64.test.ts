import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64 } from './decode-base64.ts';

test('any bytes are decoded, with or without escaped slashes', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, isEscaped) => {
      const text = Buffer.from(bytes).toString('base64');
      const written = isEscaped ? text.replaceAll('/', '\\/') : text;
      expect(decodeBase64(Buffer.from(written))?.equals(bytes)).toBe(true);
    }),
  );
});

test.each(['eA=', 'eA', 'e~==', 'eA==eA==', 'e-_=', ' eA=', 'eA==\n', '=eAA', '\\x', 'eé==', '\\u0065A==x'])(
  'text other than padded Base64 is not decoded: %j',
  (text) => {
    expect(decodeBase64(Buffer.from(text))).toBeUndefined();
  },
);
