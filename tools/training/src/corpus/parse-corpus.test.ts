import { describe, expect, it } from 'vitest';
import { CorpusError, parsePairs, parseSlots, parseTemplates } from './parse-corpus.ts';

const HEADER = '# About.\n# Author: the project\n# Licence: Apache-2.0\n\n';
const isSlot = (name: string) => name === 'bank';
const parse = (lines: string) => parseTemplates(`${HEADER}${lines}`, 'scam/x.en', isSlot);

describe('a corpus file', () => {
  it('holds one text a line, and comments and empty lines are skipped', () => {
    expect(parse('[Hi|Hello] from {bank}\n\n# Mails\nSubject\\nBody\n')).toEqual([
      '[Hi|Hello] from {bank}',
      'Subject\nBody',
    ]);
  });

  it('is refused without an author and a licence', () => {
    expect(() => parseTemplates('# About.\n# Author: the project\n\nHi', 'scam/x.en', isSlot)).toThrow(
      'scam/x.en:1: the header has no "# Licence: …"',
    );
    expect(() => parseTemplates('Hi', 'scam/x.en', isSlot)).toThrow(CorpusError);
  });

  it.each([
    ['[a|b', 'scam/x.en:5: "[" without "]"'],
    ['a|b]', 'scam/x.en:5: "]" without "["'],
    ['Hi\nfrom {bank', 'scam/x.en:6: "{" without "}"'],
    ['from bank}', 'scam/x.en:5: "}" without "{"'],
    ['from {shop}', 'scam/x.en:5: no slot is called "shop"'],
    [' Hi', 'scam/x.en:5: the line starts or ends with a blank'],
    ['['.repeat(7), 'scam/x.en:5: choices are nested deeper than 6'],
    ['x'.repeat(8193), 'scam/x.en:5: the line is longer than 8192 characters'],
    ['x\n'.repeat(200_000), 'scam/x.en:1: the file is longer than 262144 characters'],
  ])('names the file, the line and the problem (%#)', (lines, message) => {
    expect(() => parse(lines)).toThrow(message);
  });
});

describe('a file of slots', () => {
  const parseAll = (lines: string) => parseSlots(`${HEADER}${lines}`, 'slots/x');

  it('gives each slot its words, the empty one included', () => {
    expect([...parseAll('= hi\nHi\n""\n\n= bank\nAny Bank\n#{n5}')]).toEqual([
      ['hi', ['Hi', '']],
      ['bank', ['Any Bank', '#{n5}']],
    ]);
  });

  it('is refused when a word has no slot, or a slot is defined twice', () => {
    expect(() => parseAll('Hi')).toThrow('slots/x:5: a word precedes the first "= name"');
    expect(() => parseAll('= hi\nHi\n= hi')).toThrow('slots/x:7: slot hi is defined twice');
  });
});

it('a file of pairs holds a name and a site a line', () => {
  expect(parsePairs(`${HEADER}H&M = hm.com`, 'senders/x')).toEqual([['H&M', 'hm.com']]);
  expect(() => parsePairs(`${HEADER}H&M`, 'senders/x')).toThrow('senders/x:5: expected "name = site"');
});
