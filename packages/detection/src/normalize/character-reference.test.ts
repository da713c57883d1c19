import { Parser } from 'htmlparser2';
import { expect, it } from 'vitest';
import { characterReferenceAt } from './character-reference.ts';

function shownBy(html: string): string {
  const shown: string[] = [];
  const parser = new Parser({ ontext: (text) => void shown.push(text) }, { decodeEntities: true });
  parser.end(html);
  return shown.join('');
}

it.each([
  ...[
    '&nbsp;',
    '&yuml;',
    '&szlig;',
    '&Uuml;',
    '&divide;',
    '&amp;',
    '&lt;',
    '&apos;',
    '&Tab;',
    '&NewLine;',
    '&num;',
  ],
  ...[
    '&percnt;',
    '&lpar;',
    '&rpar;',
    '&ast;',
    '&plus;',
    '&comma;',
    '&period;',
    '&sol;',
    '&colon;',
    '&semi;',
    '&commat;',
  ],
  ...[
    '&lsqb;',
    '&bsol;',
    '&rsqb;',
    '&lowbar;',
    '&vert;',
    '&verbar;',
    '&hyphen;',
    '&dash;',
    '&ndash;',
    '&mdash;',
    '&minus;',
  ],
  ...[
    '&lsquo;',
    '&rsquo;',
    '&ensp;',
    '&emsp;',
    '&thinsp;',
    '&hairsp;',
    '&numsp;',
    '&puncsp;',
    '&zwnj;',
    '&zwj;',
  ],
  ...[
    '&lrm;',
    '&rlm;',
    '&#65;',
    '&#x41;',
    '&#X1f600;',
    '&#0000160;',
    '&middot;',
    '&ordm;',
    '&frac34;',
    '&times;',
  ],
])('%s is read as a page shows it', (written) => {
  expect(characterReferenceAt(`x${written}y`, 1)).toEqual({
    length: written.length,
    character: shownBy(written),
  });
});

it.each(['&', '&;', '&#;', '&#x;', '&nbsp', '&unknown;', '&#1114112;', '& nbsp;', '&#12345678;'])(
  '%s is not read as a reference',
  (written) => {
    expect(characterReferenceAt(written, 0)).toBeUndefined();
  },
);

it.each(['&amp;nbsp;', '&amp;amp;#160;', '&#38;nbsp;'])('the escaped reference %s is read too', (written) => {
  expect(characterReferenceAt(written, 0)).toEqual({ length: written.length, character: '\u00a0' });
});
