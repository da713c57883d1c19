import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createId, derivedId, idPattern } from './identifiers.ts';

const MAX_MS = 2 ** 48 - 1;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function toBigInt(id: string): bigint {
  return [...id.slice(4)].reduce((sum, character) => sum * 32n + BigInt(ALPHABET.indexOf(character)), 0n);
}

describe('createId', () => {
  test('an id is a UUIDv7 of the given millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_MS }), (nowMs) => {
        const id = createId('job', nowMs);
        expect(id).toMatch(idPattern('job'));
        const uuid = toBigInt(id);
        expect(uuid >> 80n).toBe(BigInt(nowMs));
        expect((uuid >> 76n) & 0xfn).toBe(7n);
        expect((uuid >> 62n) & 0b11n).toBe(0b10n);
      }),
    );
  });

  test('ids sort by time as plain text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_MS }), fc.integer({ min: 0, max: MAX_MS }), (a, b) => {
        fc.pre(a < b);
        expect(createId('job', a) < createId('job', b)).toBe(true);
      }),
    );
  });

  test('ten thousand ids of one millisecond differ', () => {
    const ids = new Set(Array.from({ length: 10_000 }, () => createId('job', 1)));
    expect(ids.size).toBe(10_000);
  });
});

describe('derivedId', () => {
  test('the example of RFC 9562, appendix A.6, keeps its layout', () => {
    // SHA-256('abc') begins ba7816bf8f01cfea; its first 62 bits are 2e9e05afe3c073fa.
    const id = derivedId('job', { atMs: 0x017f22e279b0, order: 0xcc3, seed: 'abc' });
    expect(toBigInt(id).toString(16).padStart(32, '0')).toBe('017f22e279b07cc3ae9e05afe3c073fa');
  });

  test('the same input yields the same id, another seed another id', () => {
    const input = { atMs: 5, order: 1, seed: 'a' };
    expect(derivedId('job', input)).toBe(derivedId('job', input));
    expect(derivedId('job', { ...input, seed: 'b' })).not.toBe(derivedId('job', input));
  });

  test('order sorts ids of one millisecond', () => {
    fc.assert(
      fc.property(fc.nat(0xfff), fc.nat(0xfff), fc.string(), fc.string(), (a, b, seedA, seedB) => {
        fc.pre(a < b);
        const first = derivedId('job', { atMs: 7, order: a, seed: seedA });
        expect(first < derivedId('job', { atMs: 7, order: b, seed: seedB })).toBe(true);
      }),
    );
  });
});

test('the pattern rejects another prefix, upper case and a number beyond 128 bits', () => {
  const id = createId('job', 1);
  expect(id).not.toMatch(idPattern('tok'));
  expect(id.toUpperCase()).not.toMatch(idPattern('job'));
  expect(`job_8${id.slice(5)}`).not.toMatch(idPattern('job'));
});
