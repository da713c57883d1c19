import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { parseJsonBody } from './json-body.ts';
import { parseLargeMemberBody } from './large-member-body.ts';

const MEBIBYTE = 1024 * 1024;

const parse = (body: Buffer) => parseJsonBody(body, { maxStructure: 10_000 });

function read(body: string) {
  return parseLargeMemberBody(Buffer.from(body), { member: 'bulk', parse });
}

function refusal(body: string): ServiceError {
  try {
    read(body);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('the member', () => {
  test('is returned as the bytes between its quotes, for any other members', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.dictionary(fc.stringMatching(/^[a-z" \\]{0,6}$/), fc.string({ unit: 'grapheme' }), { maxKeys: 5 }),
        fc.constantFrom(undefined, 2),
        (bulk, others, indent) => {
          fc.pre(!('bulk' in others));
          const stands = JSON.stringify(bulk).slice(1, -1);
          fc.pre(!/\\u/.test(JSON.stringify(others)));
          const answer = read(JSON.stringify({ ...others, bulk }, null, indent));
          expect(answer.rawMember?.toString()).toBe(Buffer.from(stands).toString());
          expect(answer.value).toEqual({ ...others, bulk: bulk === '' ? '' : '-' });
        },
      ),
    );
  });

  test.each([
    ['{"bulk":"","a":1}', ''],
    ['{"a":"bulk","bulk" : "x\\"y\\\\"}', 'x\\"y\\\\'],
    [`{"bulk":"${'z'.repeat(127)}\\"${'\\\\'.repeat(70)}"}`, `${'z'.repeat(127)}\\"${'\\\\'.repeat(70)}`],
  ])('is found by its name alone: %s', (body, bulk) => {
    expect(read(body).rawMember?.toString()).toBe(bulk);
  });

  test.each(['{"bulk":7}', '{"a":{"bulk":"x"}}', '{"bulk":["x"]}', '{"a":"x"}', '7'])(
    'is absent in %s, which is then parsed as a whole',
    (body) => {
      expect(read(body)).toEqual({ value: JSON.parse(body), bulk: undefined });
    },
  );

  test('must not occur twice', () => {
    expect(refusal('{"bulk":"a","bulk":"b"}').message).toContain('"bulk" occurs twice');
    expect(refusal('{"bulk":"a","\\u0062ulk":"b"}').code).toBe('invalid_json');
  });
});

describe('a body that is not valid JSON', () => {
  test.each(['{"bulk":"abc', '{"bulk":"abc\\"}', '{"bulk":"abc"', '{"bulk" "abc"}', '["bulk":"abc"]', ''])(
    'is rejected: %j',
    (body) => {
      expect(refusal(body).code).toBe('invalid_json');
    },
  );
});

describe('the other members', () => {
  test.each([
    ['spaces', `{${' '.repeat(2 * MEBIBYTE)}}`, 'payload_too_large'],
    ['another long member', `{"other":"${'x'.repeat(2 * MEBIBYTE)}","bulk":""}`, 'payload_too_large'],
    ['a second bulk', `{"bulk":"","bulk":"${'x'.repeat(2 * MEBIBYTE)}"}`, 'payload_too_large'],
    ['many small members', `[${'{},'.repeat(3_000)}{}]`, 'invalid_field'],
  ])('are bounded: %s', (_, body, code) => {
    expect(refusal(body).code).toBe(code);
  });

  test('are read in full, beside 16 MiB of Base64 whose slashes are escaped', () => {
    const bulk = 'QUJ\\/'.repeat(3 * MEBIBYTE);
    const content = '\\"'.repeat(100_000);
    const { value, rawMember: found } = parseLargeMemberBody(
      Buffer.from(`{"type":"file","content":"${content}","bulk":"${bulk}"}`),
      { member: 'bulk', parse },
    );
    expect(value).toEqual({ type: 'file', content: '"'.repeat(100_000), bulk: '-' });
    expect(found?.length).toBe(bulk.length);
  });

  test.each([
    ['escaped quotes', '\\"'.repeat(8 * MEBIBYTE)],
    ['escaped backslashes', '\\\\'.repeat(8 * MEBIBYTE)],
    ['escapes just where the search begins', `${'a'.repeat(127)}\\"`.repeat(130_000)],
  ])('do not block the service: 16 MiB of %s are rejected', (_, bulk) => {
    expect(refusal(`{"type":"file","bulk":"${bulk}"}`).code).toBe('invalid_field');
  });
});
