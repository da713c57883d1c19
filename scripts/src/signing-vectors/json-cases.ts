import { hash } from 'node:crypto';
import { readJson } from '@tps/contract/json';
import canonicalize from 'canonicalize';
import type { CanonicalCase, RefusedJson } from './vectors.ts';

/** Values that programs write in different ways. As `metadata` of an event, the service accepts each. */
const CANONICAL: Readonly<Record<string, string>> = {
  'members are sorted, and white space is removed': '{ "b" : 2,\n\t"a" : [ 1, { "d" : 4, "c" : 3 } ] }',
  'names are sorted by UTF-16 code units, not by code points':
    '{"\\u20ac":"Euro sign","\\r":"carriage return","\\ufb33":"Hebrew letter","1":"one","\\ud83d\\ude00":"emoji","\\u0080":"control","\\u00f6":"o with dots"}',
  'names of digits are sorted as text': '{"10":10,"9":9,"2":2,"01":1,"a":0}',
  'a name can be empty': '{"b":1,"":0}',
  'names with escapes': '{"\\\\":1,"\\n":2,"\\"":3,"\\/":4,"\\u0007":5}',
  'only these characters are escaped':
    '{"text":"\\u0008\\u0009\\u000a\\u000c\\u000d\\u0022\\u005c\\u002f\\u000f\\u001F\\u007f"}',
  'text that is not ASCII is UTF-8 without escapes':
    '{"text":"\\u00e9\\u2028\\u2029\\ufeff\\ud83d\\udd12","same":"é","html":"<\\/b>&"}',
  'text is not normalized': '{"composed":"\\u00e9","decomposed":"e\\u0301"}',
  'characters at the ends of planes': '{"text":"\\ud7ff\\ue000\\uffff\\ud800\\udc00\\udbff\\udfff"}',
  'integers without a point': '{"n":[1.0,-0,0.0,1e2,1E+2,100,10e-1,-7.00]}',
  'numbers are the shortest text that is the same double':
    '{"n":[0.1,4.50,2e-3,333333333.33333329,123456789.123456789,0.30000000000000004,1.0000000000000001]}',
  'small numbers have an exponent below 0.000001':
    '{"n":[0.000001,0.0000001,1e-6,1E-7,0.00000123456789,1e-27,5e-324,2.2250738585072014e-308,1e-400]}',
  'large numbers': '{"n":[9007199254740991,-9007199254740991,1e15,1.5e15,4503599627370497.5]}',
  literals: '{"n":null,"t":true,"f":false,"a":[],"o":{},"s":""}',
};

/** Values that programs read in different ways. The service refuses a body that contains one. */
const REFUSED: Readonly<Record<string, readonly [json: string | Buffer, code: string]>> = {
  'a name twice': ['{"a":1,"a":1}', 'invalid_json'],
  'a name twice, once with an escape': ['{"a":1,"\\u0061":2}', 'invalid_json'],
  'the name __proto__': ['{"__proto__":{}}', 'invalid_field'],
  'half of a surrogate pair': ['{"text":"\\ud800"}', 'invalid_field'],
  'the character U+0000': ['{"text":"\\u0000"}', 'invalid_field'],
  'an integer that a double does not hold': ['{"n":9007199254740993}', 'invalid_field'],
  'the first integer beyond the limit': ['{"n":9007199254740992}', 'invalid_field'],
  'a number beyond all doubles': ['{"n":1e400}', 'invalid_field'],
  'not a number': ['{"n":NaN}', 'invalid_json'],
  'a comma at the end': ['{"a":1,}', 'invalid_json'],
  'a leading zero': ['{"n":01}', 'invalid_json'],
  'bytes that are not UTF-8': [Buffer.from('{"text":"\xff"}', 'latin1'), 'invalid_json'],
  'more than 32 levels': [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'invalid_json'],
};

export function listCanonicalCases(): CanonicalCase[] {
  return Object.entries(CANONICAL).map(([name, json]) => {
    const canonical = canonicalize(readJson(json)) ?? '';
    return { name, json, canonical, sha256: hash('sha256', canonical) };
  });
}

export function listRefusedJson(): RefusedJson[] {
  return Object.entries(REFUSED).map(([name, [json, code]]) => ({
    name,
    metadata_b64: Buffer.from(json).toString('base64'),
    code,
  }));
}
