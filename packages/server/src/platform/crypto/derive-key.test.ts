import { expect, test } from 'vitest';
import { deriveKey } from './derive-key.ts';

test('the vector of RFC 5869, appendix A.3, is reproduced', () => {
  const key = deriveKey(Buffer.alloc(22, 0x0b), '');
  expect(key.toString('hex')).toBe('8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d');
});

test('different purposes and masters yield different keys', () => {
  const master = Buffer.alloc(32, 1);
  expect(deriveKey(master, 'cursor')).toEqual(deriveKey(master, 'cursor'));
  expect(deriveKey(master, 'cursor')).not.toEqual(deriveKey(master, 'webhook'));
  expect(deriveKey(master, 'cursor')).not.toEqual(deriveKey(Buffer.alloc(32, 2), 'cursor'));
});
