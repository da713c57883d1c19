import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toEmailKey, toMailboxKey, toStoredEmail } from './account.ts';

/** All code points of the BMP except surrogates. */
const LETTERS = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).filter(
  (letter) => !/\p{Cs}/u.test(letter),
);

test.each([
  ['the text', (letter: string) => letter],
  ['the local part', (letter: string) => `${letter}a${letter}b${letter}@example.com`],
  ['a label', (letter: string) => `kim@${letter}a${letter}b.example`],
  ['an encoded label', (letter: string) => `kim@${domainToASCII(`a${letter}b.example`)}`],
  ['the end of the domain', (letter: string) => `kim@example.com${letter}`],
])('the key of a key is itself, for each letter in %s', (_, toText) => {
  const changed = LETTERS.map(toText).filter((text) => toEmailKey(toEmailKey(text)) !== toEmailKey(text));
  expect(changed).toEqual([]);
});

test('the key of a key is itself, for any text', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...LETTERS), fc.constantFrom('@', '.', '\u0307', 'xn--')),
  });
  fc.assert(
    fc.property(text, (one) => toEmailKey(toEmailKey(one)) === toEmailKey(one)),
    { numRuns: 2000 },
  );
});

test.each([
  [' Kim@Example.COM ', 'kim@example.com'],
  ['kim@example.com.', 'kim@example.com'],
  ['kim@xn--bcher-kva.example', 'kim@b\u00fccher.example'],
  ['kim@BU\u0308CHER.example.', 'kim@b\u00fccher.example'],
  ['KIM@XN--BCHER-KVA.EXAMPLE', 'kim@b\u00fccher.example'],
  ['\u212aim@example.com', 'kim@example.com'],
])('%s belongs to %s', (spelling, key) => {
  expect([toEmailKey(spelling), toMailboxKey(spelling)]).toEqual([key, toMailboxKey(key)]);
  // As SQLite compares it.
  const stored = toStoredEmail(spelling).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  expect(stored).toBe(key);
});

test.each(['ex%61mple.com', 'example\u3002com', 'exam\ufe0fple.com', 'exam\u00adple.com', 'xn--0.example'])(
  'kim@%s is not spelled otherwise',
  (domain) => {
    expect(toEmailKey(`kim@${domain}`)).toBe(`kim@${domain}`);
  },
);
