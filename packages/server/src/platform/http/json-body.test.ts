import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { parseJsonBody } from './json-body.ts';
import { scanJson } from './json-scan.ts';

const MEBIBYTE = 1024 * 1024;

function parse(body: Buffer, maxStructure = Infinity): unknown {
  return parseJsonBody(body, { maxStructure });
}

function refusal(body: string | Buffer): ServiceError {
  try {
    parse(Buffer.from(body));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

/** Objects that JSON.stringify writes as they are, without duplicate or forbidden names or large numbers. */
const jsonValue = fc
  .jsonValue({ maxDepth: 6, depthSize: 'medium' })
  .filter((value) => !/__proto__|constructor/.test(JSON.stringify(value)))
  .map(withSmallNumbers);

function withSmallNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, member) =>
    typeof member === 'number' ? member % 2 ** 53 : member,
  );
}

describe('what JSON.stringify writes', () => {
  test('is parsed as JSON.parse parses it', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parse(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is rejected as soon as any object repeats a member', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), jsonValue, { minKeys: 1 }), fc.nat(30), (object, depth) => {
        fc.pre(!/__proto__|constructor|\\u/.test(JSON.stringify(object)));
        const [name = '', value] = Object.entries(object)[0] ?? [];
        const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
        const twice = `${JSON.stringify(object).slice(0, -1)},${member}}`;
        const nested = `${'['.repeat(depth)}${twice}${']'.repeat(depth)}`;
        fc.pre(depth < 20);
        expect(refusal(nested).code).toBe('invalid_json');
      }),
    );
  });
});

describe('duplicates', () => {
  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"b":[{"x":{"a":1,"c":":","a":2}}]}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a:":"\\"","a:":2}', 'a:'],
    ['{"":{},"":{}}', ''],
  ])('%s is rejected and the name is reported', (body, name) => {
    const error = refusal(body);
    expect(error.code).toBe('invalid_json');
    expect(error.message).toContain(JSON.stringify(name));
  });

  test('one name in two objects is not a duplicate', () => {
    expect(parse(Buffer.from('{"a":{"a":[{"a":1},{"a":2}]}}'))).toEqual({
      a: { a: [{ a: 1 }, { a: 2 }] },
    });
  });
});

describe('malformed bodies', () => {
  test.each([
    ['', 'empty'],
    ['{"a":', 'ends too early'],
    ['{"a":"x', 'ends too early'],
    ['{"a" 1}', 'character'],
    ['{a:1}', 'not valid JSON'],
    ['[1,]', 'not valid JSON'],
    ['\uFEFF{}', 'byte order mark'],
    ['NaN', 'not valid JSON'],
    ['{}}', 'not valid JSON'],
  ])('%j is invalid_json and the reason is reported', (body, reason) => {
    const error = refusal(body);
    expect(error.code).toBe('invalid_json');
    expect(error.message).toContain(reason);
  });

  test('the message never repeats content of the body', () => {
    expect(refusal('svc_live_secret').message).not.toContain('secret');
    expect(refusal('{"a": svc_live_secret}').message).not.toContain('secret');
  });

  test.each([
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a truncated character', [0x22, 0xe2, 0x82, 0x22]],
  ])('%s is not UTF-8', (_, bytes) => {
    expect(refusal(Buffer.from(bytes))).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('UTF-8'),
    });
  });
});

describe('well-formed JSON that is rejected', () => {
  test.each([
    ['{"a":{"__proto__":{}}}', 'a.__proto__'],
    ['[{"\\u005f_proto__":1}]', '[0].__proto__'],
    ['{"x":{"constructor":{"prototype":{}}}}', 'x.constructor'],
    ['{"a":["\\ud800"]}', 'a[0]'],
    ['{"a":{"\\udc00":1}}', 'a '],
    ['{"a":[1,1e999]}', 'a[1]'],
    ['-1e999', 'The body'],
    ['{"a":9007199254740993}', 'a '],
    ['{"a":[{"b":-9007199254740992}]}', 'a[0].b'],
    ['{"a":{"b":18446744073709551615.0}}', 'a.b'],
    ['[1e16]', '[0]'],
  ])('%s is invalid_field and the path is reported', (body, path) => {
    const error = refusal(body);
    expect(error.code).toBe('invalid_field');
    expect(error.message).toContain(path);
  });

  test.each(['9007199254740991', '-9007199254740991', '0.30000000000000004', '1e-7', '5e-324', '0'])(
    'the number %s is accepted as it is',
    (number) => {
      expect(JSON.stringify(parse(Buffer.from(`[${number}]`)))).toBe(`[${number}]`);
    },
  );

  test('a constructor without a prototype and a surrogate pair are accepted', () => {
    const body = '{"constructor":"ACME","a":"\\ud83d\\ude00"}';
    expect(parse(Buffer.from(body))).toEqual({ constructor: 'ACME', a: '😀' });
  });
});

describe('hostile bodies', () => {
  test('32 levels are accepted, 33 are not', () => {
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(() => parse(Buffer.from(nested(32)))).not.toThrow();
    expect(refusal(nested(33))).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining('32'),
    });
  });

  test.each([
    ['arrays in arrays', '['.repeat(MEBIBYTE)],
    ['objects in objects', '{"a":'.repeat(MEBIBYTE / 5)],
    ['one long string of escapes', `"${'\\\\'.repeat(MEBIBYTE / 2)}`],
    ['one name many times', `{${'"a":1,'.repeat(MEBIBYTE / 6)}"a":1}`],
    ['empty objects', `[${'{},'.repeat(MEBIBYTE / 3)}{"a":1,"a":1}]`],
  ])('1 MiB of %s is rejected at once', (_, body) => {
    const before = process.cpuUsage();
    expect(refusal(body).code).toBe('invalid_json');
    // Tens of milliseconds here; the bound only has to distinguish linear from quadratic (minutes).
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2_000);
  });
});

describe('a body with more structure than the operation has', () => {
  const members = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(',')}}`;

  test('is rejected with the limit in the message', () => {
    expect(() => parse(Buffer.from(members(500)), 1_000)).not.toThrow();
    expect(() => parse(Buffer.from(members(501)), 1_000)).toThrow(
      expect.objectContaining({ code: 'payload_too_large', message: expect.stringContaining('1000') }),
    );
  });

  test('is parsed nevertheless while it is small, so that the answer names the mistake', () => {
    expect(() => parse(Buffer.from(members(100)), 0)).not.toThrow();
  });

  test('does not count what is inside strings', () => {
    expect(parse(Buffer.from(`["${'[{:,'.repeat(1_000)}\\"${',:'.repeat(1_000)}"]`), 300)).toHaveLength(1);
  });

  test('is not read to its end', () => {
    const most = scanJson(Buffer.from(`[${'1,'.repeat(MEBIBYTE)}1]`), {
      depth: 3,
      structure: 1_000,
      text: 9,
    });
    expect(most.structure).toBe(1_001);
  });
});

test('an error in a part of a body names the place in the body', () => {
  const part = (text: string) => () => parseJsonBody(Buffer.from(text), { maxStructure: 9, at: 'events[3]' });
  expect(part('{"a":')).toThrow('events[3] is not valid JSON: it ends too early.');
  expect(part('{"a":{"__proto__":1}}')).toThrow('events[3].a.__proto__ is not a permitted member name.');
  expect(part('"\\u0000"')).toThrow('events[3] contains');
});

test('a string that is longer than the operation allows is rejected without being parsed', () => {
  const text = (length: number) => Buffer.from(`["\\"${'x'.repeat(length - 4)}"]`);
  const options = { maxStructure: 9, maxText: 70_000 };
  expect(parseJsonBody(text(70_000), options)).toHaveLength(1);
  expect(() => parseJsonBody(text(70_001), options)).toThrow(
    expect.objectContaining({ code: 'payload_too_large', message: expect.stringContaining('70000 bytes') }),
  );
});
