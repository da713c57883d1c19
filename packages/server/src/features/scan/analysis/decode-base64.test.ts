import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64 } from './decode-base64.ts';

test('any bytes come back, also when slashes are escaped as JSON allows', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.boolean(), (bytes, isEscaped) => {
      const text = Buffer.from(bytes).toString('base64');
      const written = isEscaped ? text.replaceAll('/', '\\/') : text;
      expect(decodeBase64(Buffer.from(written))?.equals(bytes)).toBe(true);
    }),
  );
});

test.each(['eA=', 'eA', 'e~==', 'eA==eA==', 'e-_=', ' eA=', 'eA==\n', '=eAA', '\\x', 'eé==', '\\u0065A==x'])(
  'what is no padded Base64 is none: %j',
  (text) => {
    expect(decodeBase64(Buffer.from(text))).toBeUndefined();
  },
);
