import { type TObject, Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { compileBodyValidator, compileQueryValidator } from './validation.ts';

const body = compileBodyValidator(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 5 }),
      count: Type.Optional(Type.Integer({ minimum: 1 })),
      at: Type.Optional(Type.String({ format: 'date-time' })),
      items: Type.Optional(
        Type.Array(Type.Object({ kind: Type.Unsafe({ type: 'string', enum: ['a', 'b'] }) })),
      ),
    },
    { additionalProperties: false },
  ),
);

const querySchema: TObject = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    all: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ maxLength: 5 })),
  },
  { additionalProperties: false },
);
const query = compileQueryValidator(querySchema);

function refusalOf(check: () => unknown): ServiceError {
  try {
    check();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a body', () => {
  test('that is valid is returned as the very same object', () => {
    const value = { name: 'a', count: 2, at: '2026-03-02T09:15:03Z' };
    expect(body(value)).toBe(value);
  });

  test.each([
    [{}, 'missing_field', 'name'],
    [{ name: 'a', items: [{}] }, 'missing_field', 'items[0].kind'],
    [{ name: 'a', surprise: 1 }, 'invalid_field', 'surprise'],
    [{ name: 'a', count: '2' }, 'invalid_field', 'count'],
    [{ name: 'a', count: 1.5 }, 'invalid_field', 'count'],
    [{ name: 'a', count: 0 }, 'invalid_field', 'count'],
    [{ name: '' }, 'invalid_field', 'name'],
    [{ name: 'abcdef' }, 'invalid_field', 'name'],
    [{ name: 'a', at: '2026-02-30T00:00:00Z' }, 'invalid_field', 'RFC 3339'],
    [
      { name: 'a', items: [{ kind: 'a' }, { kind: 'c' }] },
      'invalid_field',
      'items[1].kind must be one of a, b',
    ],
    [null, 'invalid_field', 'The body'],
    [[], 'invalid_field', 'The body'],
  ])('%j is rejected as %s, naming %s', (value, code, named) => {
    const refusal = refusalOf(() => body(value));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(named);
  });

  test('must have the members itself: inherited ones do not count', () => {
    expect(refusalOf(() => body(Object.create({ name: 'a' }))).code).toBe('missing_field');
  });

  test('is rejected without repeating its values', () => {
    const secret = 'hunter2-hunter2';
    for (const value of [
      { name: secret },
      { name: 'a', count: secret },
      { name: 'a', items: [{ kind: secret }] },
    ]) {
      expect(refusalOf(() => body(value)).message).not.toContain(secret);
    }
  });

  test('is rejected with a bounded message, even with long member names', () => {
    const long = 'x'.repeat(10_000);
    expect(refusalOf(() => body({ name: 'a', [long]: 1 })).message.length).toBeLessThan(200);
  });
});

describe('the problems of a body', () => {
  const fieldsOf = (value: unknown) =>
    refusalOf(() => body(value))
      .listProblems?.()
      .map(({ field }) => field);

  test('are all found, one for each member', () => {
    expect(fieldsOf({ name: 5, count: 'x', at: '', more: 1, items: [{}, { kind: 'c' }, 7] })).toEqual([
      'more',
      'name',
      'count',
      'at',
      'items[0].kind',
      'items[1].kind',
      'items[2]',
    ]);
    expect(fieldsOf([])).toEqual(['']);
  });

  test('are not searched for in a body with more parts than people write', () => {
    const items = (count: number) => Array.from({ length: count }, () => 7);
    expect(fieldsOf({ name: 'a', items: items(900) })).toHaveLength(20);
    expect(fieldsOf({ name: 'a', items: items(1_100) })).toEqual(['items[0]']);
  });
});

describe('a query', () => {
  test('is parsed into the types of its parameters', () => {
    expect(query({ limit: '5', all: 'true', name: '5' })).toEqual({ limit: 5, all: true, name: '5' });
    expect(query({ all: 'false' })).toEqual({ all: false });
    expect(query({})).toEqual({});
  });

  test.each(['1e2', '5.0', ' 5', '5 ', '+5', '0x5', '', 'five', '5,6', '٥', '9'.repeat(16), 'Infinity'])(
    'has no integer in %j',
    (limit) => {
      expect(refusalOf(() => query({ limit }))).toMatchObject({ code: 'invalid_parameter' });
    },
  );

  test.each(['1', 'yes', 'TRUE', ''])('has no boolean in %j', (all) => {
    expect(refusalOf(() => query({ all })).message).toContain('all');
  });

  test('with a repeated, unknown or inherited parameter is rejected', () => {
    expect(refusalOf(() => query({ limit: ['5', '6'] })).message).toContain('more than once');
    for (const name of ['surprise', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(refusalOf(() => query({ [name]: '1' })).message).toContain(name);
    }
    expect(refusalOf(() => query(JSON.parse('{"__proto__":"1"}'))).code).toBe('invalid_parameter');
  });
});
