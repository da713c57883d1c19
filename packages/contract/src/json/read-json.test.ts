import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from './read-json.ts';

/** After these, V8 reads other names with escapes as the names in them. */
const POISON = [
  '{"q":1,"\\\\":1}',
  '[{"m1":1,"pr\\\\u00":1}]',
  '{"\\\\":1}',
  '{"h":[],"\\\\u":{"\\\\u0":{"\\\\\\\\":1}}}',
];

function read(text: string): unknown {
  for (const poison of POISON) JSON.parse(poison);
  return readJson(text);
}

describe('after other names were read, a name is read as it was written:', () => {
  test.each([
    ['{"q":1,"\\n":1}', ['q', '\n']],
    ['{"q":1,"\\"":1}', ['q', '"']],
    ['{"q":1,"\\\\":1}', ['q', '\\']],
    ['{"q":1,"\\u0041" \t\r\n: 1}', ['q', 'A']],
    ['{"q":1,"\\ud800":1}', ['q', '\ud800']],
    ['{"q":1,"\\ud8000":1,"\\n":1}', ['q', '\ud8000', '\n']],
    ['{"m1":1,"pr\\u00e9nom":1}', ['m1', 'prénom']],
    ['{"__proto__":1,"\\u005f_proto__":2,"\\n":3}', ['__proto__', '\n']],
    ['{"b\\n":1,"\\u0031":1}', ['1', 'b\n']],
  ])('%s', (text, names) => {
    expect(Object.keys(read(text) as object)).toEqual(names);
    const [inside] = read(`[${text}]`) as [object];
    expect(Object.keys(inside)).toEqual(names);
  });

  test('any name, in any JSON, with any spaces', () => {
    const unit = fc.constantFrom('\\', 'u', '0', '"', 'n', '\n', 'é', 'q', ':', '/', ' ', '\ud800', '1');
    const name = fc.string({ unit, maxLength: 7 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string({ unit, maxLength: 4 }),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, '\t', ' '), (expected, indent) => {
        const text = JSON.stringify(expected, null, indent);
        JSON.parse(JSON.stringify(poisonFor(expected)));
        expect(JSON.stringify(readJson(text), null, indent)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  test('any name, of which each character is escaped', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 4 }), (names) => {
        const escaped = names.map((name) => `"${[...name].map(toEscape).join('')}":0`);
        const expected = Object.fromEntries(names.map((name) => [name, 0]));
        JSON.parse(
          JSON.stringify(Object.fromEntries(names.map((name) => ['\\u00'.slice(0, name.length), 0]))),
        );
        expect(Object.entries(readJson(`{${escaped.join()}}`) as object)).toEqual(Object.entries(expected));
      }),
    );
  });
});

/** The same JSON, in which each name is what V8 mistakes the name for: the beginning of its escaped form. */
function poisonFor(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(poisonFor);
  if (typeof value !== 'object' || value === null) return value;
  const toPoison = (name: string) => JSON.stringify(name).slice(1, -1).slice(0, name.length);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [toPoison(name), poisonFor(member)]),
  );
}

function toEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

describe('as with JSON.parse,', () => {
  test('the last of several equal names counts', () => {
    expect(read('{"a":1,"\\u0061":2,"a":3,"\\n":4,"\\u000a":5}')).toEqual({ a: 3, '\n': 5 });
  });

  test('__proto__ is an own member, with all that it contains', () => {
    const value = read('{"__proto__":{"\\n":{"\\t":1}}}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"\\n":{"\\t":1}}}');
  });

  test.each(['', '{"a\\n":1', '{"a\\n', '{"a\\n":1}}', '["\\"]', '{"\\x":1}', '{"a\\n" 1}', '\\'])(
    'invalid text is rejected with its position: %s',
    (text) => {
      expect(() => readJson(text)).toThrow(messageOf(text));
    },
  );

  test('any depth, and any length of names, spaces and strings, is read', () => {
    const depth = 100_000;
    const deep = `${'{"\\n":'.repeat(depth)}1${'}'.repeat(depth)}`;
    let value = readJson(deep);
    for (let level = 0; level < depth; level += 1) value = (value as { '\n': unknown })['\n'];
    expect(value).toBe(1);
    const long = '\\"'.repeat(4_194_304);
    const spaces = ' '.repeat(4_194_304);
    const read = readJson(`{"${long}"${spaces}:"${long}"${spaces}}`) as Record<string, string>;
    expect(read['"'.repeat(4_194_304)]).toHaveLength(4_194_304);
  });
});

function messageOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return (error as SyntaxError).message;
  }
  throw new Error('the text is valid');
}
