import { readJson } from '@tps/contract/json';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '../service-error.ts';
import { parseJsonBody } from './json-body.ts';
import { parseListMemberBody } from './list-member-body.ts';

const parse = (body: Buffer) => parseJsonBody(body, { maxStructure: 1_000 });

function read(body: string) {
  const { value, rawItems } = parseListMemberBody(Buffer.from(body), { member: 'list', maxItems: 5, parse });
  return { value, items: rawItems?.map(String) };
}

function refusal(body: string): ServiceError {
  try {
    const { items = [] } = read(body);
    for (const item of items) parse(Buffer.from(item));
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('the items of the list', () => {
  test('are cut out as they were sent, for any items and any other members', () => {
    const value = fc.jsonValue({ maxDepth: 4 }).filter((one) => !/\d{16}|e\+/.test(JSON.stringify(one)));
    const others = fc.dictionary(fc.stringMatching(/^[a-z" \\]{0,6}$/), value, { maxKeys: 4 });
    const forbidden = /__proto__|constructor/;
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 5 }),
        others,
        others,
        fc.constantFrom(undefined, 2),
        (list, before, after, indent) => {
          const body = { ...before, list, ...after };
          const text = JSON.stringify(body, null, indent);
          fc.pre(!forbidden.test(text) && !('list' in before) && !('list' in after));
          const cut = read(text);
          expect(cut.items?.map(readJson)).toEqual(readJson(JSON.stringify(list)));
          expect(cut.value).toEqual(readJson(JSON.stringify({ ...body, list: list.map(() => 0) })));
        },
      ),
    );
  });

  test.each([
    ['{"list":[]}', []],
    ['{"list" : [ \t\n ] }', []],
    ['{"list":[1 , "]",[2,3],{"list":[4]}]}', ['1 ', ' "]"', '[2,3]', '{"list":[4]}']],
    ['{"a":"list","b":{"list":[7]},"list":[1]}', ['1']],
    ['{"\\u006cist":[{"a":1}]}', ['{"a":1}']],
    ['{"list":7}', undefined],
    ['{"a":1}', undefined],
    ['7', undefined],
  ])('of %s are %j', (body, items) => {
    expect(read(body).items).toEqual(items);
  });

  test('are not looked at beyond the limit', () => {
    expect(read('{"list":[1,2,3,4,5]}').items).toHaveLength(5);
    expect(refusal('{"list":[1,2,3,4,5,6]}').message).toBe('list must NOT have more than 5 items');
    expect(refusal(`{"list":[${'{'.repeat(9)},,,,,,,,,`).code).toBe('invalid_json');
  });

  test('must have their name once', () => {
    expect(refusal('{"list":[1],"list":[2]}').message).toContain('"list" occurs twice');
    expect(refusal('{"list":[1],"\\u006cist":[2]}').message).toContain('"list" occurs twice');
  });
});

describe('a body is rejected where JSON.parse rejects it:', () => {
  test.each([
    '{"list":[1}',
    '{"list":[1]] }',
    '{"list":[1] 2}',
    '{"list":[1',
    '{"list":[,]}',
    '{"list":[1,]}',
    '{"list":[{]}',
    '{"list":[{}}]}',
    '{"list":["a]}',
    '{"list":[1 2]}',
    '{"list":[1]',
    '["list":[1]]',
    '{"list":[1]}}',
    '{"list":1]}',
    '{"list":[\u0000]}',
    '{"list":\u0001[1]}',
  ])('%s', (body) => {
    expect(() => JSON.parse(body)).toThrow();
    expect(refusal(body).code).toBe('invalid_json');
  });

  test('any one byte of a body is changed', () => {
    const body = '{"a":[1],"list":[{"b":"x,y"},[2,"]"],3],"c":{"list":[4]}}';
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.constantFrom(...'{}[],:"0a '), (at, byte) => {
        const changed = body.slice(0, at) + byte + body.slice(at + 1);
        const isJson = (text: string) => {
          try {
            return parse(Buffer.from(text)) !== undefined;
          } catch {
            return false;
          }
        };
        const isAccepted = () => {
          try {
            return read(changed).items?.every(isJson) ?? true;
          } catch {
            return false;
          }
        };
        expect(isAccepted()).toBe(isJson(changed));
      }),
      { numRuns: 500 },
    );
  });
});
