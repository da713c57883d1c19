import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCanonicalJson } from './canonical-json.ts';

const names = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(
    '',
    '0',
    '1',
    '10',
    '9',
    '01',
    '-1',
    '__proto__',
    'toJSON',
    'a',
    'A',
    'é',
    '\u{1f600}',
    '\uffff',
  ),
);
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(names, tie('value')), { maxLength: 40 })
    .map((members) => Object.fromEntries(members)),
}));

test('the canonical text of any JSON object is that of RFC 8785', () => {
  fc.assert(
    fc.property(fc.dictionary(names, json, { maxKeys: 40 }), (value) => {
      const parsed = JSON.parse(JSON.stringify(value));
      expect(toCanonicalJson(parsed)).toBe(canonicalize(parsed));
    }),
    { numRuns: 2000 },
  );
});

test('any number of names is sorted by UTF-16 code units', () => {
  expect(
    toCanonicalJson({ '\uffff': 1, '\u{1f600}': 2, b: { d: [{ z: -0, y: 1e21 }], c: 'ü\u2028' }, a: null }),
  ).toBe('{"a":null,"b":{"c":"ü\u2028","d":[{"y":1e+21,"z":0}]},"\u{1f600}":2,"\uffff":1}');
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`m${(index * 37) % 100}`, index]),
  );
  expect(toCanonicalJson(many)).toBe(canonicalize(many));
});

test('names that look like numbers are sorted as texts', () => {
  expect(toCanonicalJson({ b: 1, 10: { 9: 2, 10: 3 }, 9: 4 })).toBe('{"10":{"10":3,"9":2},"9":4,"b":1}');
});

test.each([Infinity, -Infinity, Number.NaN])('%d, which JSON cannot express, is refused', (value) => {
  expect(() => toCanonicalJson({ a: { b: [1, value] } })).toThrow();
  expect(() => toCanonicalJson({ 10: value })).toThrow();
});
