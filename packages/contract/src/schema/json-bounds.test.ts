import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Event } from '../event/schema.ts';
import { operations } from '../operations.ts';
import { jsonBoundsOf } from './json-bounds.ts';
import { closed } from './values.ts';

/** Returns the commas, colons and opening brackets that JSON.stringify writes for a value without them in its strings. */
function countStructure(value: unknown): number {
  return JSON.stringify(value).match(/[,:[{]/g)?.length ?? 0;
}

describe('every member of a request has a bound:', () => {
  test.each(
    operations.flatMap(({ operationId, body, largeMember }) =>
      body ? [{ operationId, body, largeMember }] : [],
    ),
  )('$operationId', ({ body, largeMember }) => {
    const { structure, bytes } = jsonBoundsOf(body);
    expect(structure).toBeLessThan(Infinity);
    // The limit of the body bounds the large member.
    if (largeMember === undefined) expect(bytes).toBeLessThan(Infinity);
  });

  test.each(operations.flatMap(({ operationId, query }) => (query ? [{ operationId, query }] : [])))(
    'the query of $operationId',
    ({ query }) => {
      expect(jsonBoundsOf(query).bytes).toBeLessThan(Infinity);
    },
  );
});

test('the bounds hold for the largest value, fully escaped', () => {
  const text = Type.String({ maxLength: 3 });
  const schema = closed({
    a: Type.Array(closed({ b: text, c: text }), { maxItems: 5 }),
    d: Type.Optional(text),
  });
  const item = { b: 'xxx', c: 'xxx' };
  const largest = { a: Array.from({ length: 5 }, () => item), d: 'xxx' };
  const { structure, bytes, text: longest } = jsonBoundsOf(schema);
  expect(longest).toBe('"\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00"'.length);
  expect(countStructure(largest)).toBeLessThanOrEqual(structure);
  const escaped = JSON.stringify(largest).replaceAll('x', '\\ud83d\\ude00');
  expect(escaped.length).toBeLessThanOrEqual(bytes);
});

test('what has no bound is infinite', () => {
  expect(jsonBoundsOf(closed({ a: Type.String() })).bytes).toBe(Infinity);
  expect(jsonBoundsOf(closed({ a: Type.Array(Type.Null()) })).structure).toBe(Infinity);
});

test('the budget of an event is a small part of a body', () => {
  const { structure, bytes } = jsonBoundsOf(Event);
  expect(structure).toBeLessThan(5_000);
  expect(bytes).toBeLessThan(524_288);
});
