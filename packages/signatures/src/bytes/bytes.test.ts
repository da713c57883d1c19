import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as native from './bytes.node.ts';
import * as portable from './bytes.ts';

test('without Node, digests and base64 are those of Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      for (const algorithm of ['sha256', 'sha512'] as const) {
        expect([...portable.digest(algorithm, bytes)]).toEqual([...native.digest(algorithm, bytes)]);
      }
      expect(portable.sha256Base64(bytes)).toBe(native.sha256Base64(bytes));
      const text = portable.toBase64(bytes);
      expect(text).toBe(native.toBase64(bytes));
      for (const { fromBase64 } of [portable, native]) expect([...fromBase64(text)]).toEqual([...bytes]);
    }),
  );
});
