import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorScope, createCursorCodec } from './cursors.ts';

const codec = createCursorCodec(randomBytes(32));
const BASE64URL = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', '=', '+', ' ', 'é'];

const filters = fc.dictionary(fc.string({ maxLength: 8 }), fc.option(fc.string(), { nil: undefined }), {
  maxKeys: 4,
});
const position = fc.array(fc.oneof(fc.string({ maxLength: 30 }), fc.integer()), {
  minLength: 1,
  maxLength: 3,
});
const scope = fc.record({ tenantId: fc.string(), route: fc.string(), filters });

function decodeWith(cursor: string, where: CursorScope) {
  return () => codec.decode(cursor, where);
}

const INVALID = expect.objectContaining({ code: 'invalid_cursor' });

describe('a cursor', () => {
  test('decodes to the position it was made from', () => {
    fc.assert(
      fc.property(scope, position, (where, at) => {
        expect(codec.decode(codec.encode({ ...where, position: at }), where)).toEqual(at);
      }),
    );
  });

  test('does not depend on the order of filters or on absent ones', () => {
    const where = { tenantId: 't', route: 'r' };
    const cursor = codec.encode({ ...where, filters: { a: '1', b: '2', c: undefined }, position: [1] });
    expect(codec.decode(cursor, { ...where, filters: { b: '2', a: '1' } })).toEqual([1]);
  });

  test('is invalid once any one character is changed, added or removed', () => {
    fc.assert(
      fc.property(scope, position, fc.nat(), fc.constantFrom(...BASE64URL), (where, at, index, character) => {
        const cursor = codec.encode({ ...where, position: at });
        const spot = index % cursor.length;
        const [before, after] = [cursor.slice(0, spot), cursor.slice(spot + 1)];
        if (cursor[spot] !== character)
          expect(decodeWith(before + character + after, where)).toThrow(INVALID);
        expect(decodeWith(before + after, where)).toThrow(INVALID);
        expect(decodeWith(cursor + character, where)).toThrow(INVALID);
      }),
    );
  });

  test('is invalid for another tenant and for another route, even with other filters', () => {
    fc.assert(
      fc.property(
        scope,
        fc.string(),
        fc.string(),
        filters,
        position,
        (where, tenantId, route, others, at) => {
          fc.pre(tenantId !== where.tenantId && route !== where.route);
          const cursor = codec.encode({ ...where, position: at });
          expect(decodeWith(cursor, { ...where, tenantId })).toThrow(INVALID);
          expect(decodeWith(cursor, { ...where, route })).toThrow(INVALID);
          expect(decodeWith(cursor, { ...where, tenantId, filters: others })).toThrow(INVALID);
        },
      ),
    );
  });

  test('with other filters is distinguished from a forgery', () => {
    fc.assert(
      fc.property(scope, filters, position, (where, others, at) => {
        const set = (given: CursorScope['filters']) =>
          JSON.stringify(
            Object.entries(given)
              .filter(([, value]) => value !== undefined)
              .sort(),
          );
        fc.pre(set(where.filters) !== set(others));
        const cursor = codec.encode({ ...where, position: at });
        expect(decodeWith(cursor, { ...where, filters: others })).toThrow(
          expect.objectContaining({ code: 'cursor_filter_mismatch' }),
        );
      }),
    );
  });

  test('separates tenant and route', () => {
    const cursor = codec.encode({ tenantId: 'ab', route: 'c', filters: {}, position: [1] });
    expect(decodeWith(cursor, { tenantId: 'a', route: 'bc', filters: {} })).toThrow(INVALID);
  });

  test('made with another key is invalid', () => {
    const where = { tenantId: 't', route: 'r', filters: {} };
    const cursor = createCursorCodec(randomBytes(32)).encode({ ...where, position: [1] });
    expect(decodeWith(cursor, where)).toThrow(INVALID);
  });
});

test('arbitrary text of any length is invalid', () => {
  const where = { tenantId: 't', route: 'r', filters: {} };
  for (const text of ['', 'A', 'AQ', 'A'.repeat(512), 'A'.repeat(1_000_000)]) {
    expect(decodeWith(text, where)).toThrow(INVALID);
  }
  fc.assert(fc.property(fc.string(), (text) => void expect(decodeWith(text, where)).toThrow(INVALID)));
});

test('a position that no cursor can carry is rejected on encoding', () => {
  const where = { tenantId: 't', route: 'r', filters: {} };
  expect(() => codec.encode({ ...where, position: ['x'.repeat(500)] })).toThrow(RangeError);
  expect(() => codec.encode({ ...where, position: [Number.NaN] })).toThrow(RangeError);
});
