import { expect, test } from 'vitest';
import { hashSlice, hashText, joinHashes } from './hash.ts';

test('hashes are the ones that shipped models were trained with', () => {
  expect(hashText('', 0)).toBe(0);
  expect([hashText('login', 1), hashText('login', 2), hashText('пароль', 1)]).toMatchInlineSnapshot(`
    [
      1904225714,
      3808838879,
      339250710,
    ]
  `);
  expect(joinHashes(1, 2)).toMatchInlineSnapshot(`2116853470`);
});

test('a slice has the hash of its text', () => {
  expect(hashSlice('my-login-page', 3, 8, 7)).toBe(hashText('login', 7));
});

test('the order of combined hashes matters', () => {
  expect(joinHashes(1, 2)).not.toBe(joinHashes(2, 1));
});
