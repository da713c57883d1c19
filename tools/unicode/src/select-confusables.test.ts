import { expect, it } from 'vitest';
import { selectConfusables, toSource } from './select-confusables.ts';

const SOURCE = `# confusables.txt
# Date: 2024-08-14, 23:39:57 GMT
# Version: 16.0.0
0430 ;	0061 ;	MA	# ( а → a ) CYRILLIC SMALL LETTER A → LATIN SMALL LETTER A	#
0410 ;	0041 ;	MA	# ( А → A ) CYRILLIC CAPITAL LETTER A → LATIN CAPITAL LETTER A	#
FF41 ;	0061 ;	MA	# ( ａ → a ) FULLWIDTH LATIN SMALL LETTER A → LATIN SMALL LETTER A	# →а→
0031 ;	006C ;	MA	# ( 1 → l ) DIGIT ONE → LATIN SMALL LETTER L	#
0627 ;	006C ;	MA	# ( ‎ا‎ → l ) ARABIC LETTER ALEF → LATIN SMALL LETTER L	# →1→
006D ;	0072 006E ;	MA	# ( m → rn ) LATIN SMALL LETTER M → LATIN SMALL LETTER R, LATIN SMALL LETTER N	#
0432 ;	0299 ;	MA	# ( в → ʙ ) CYRILLIC SMALL LETTER VE → LATIN LETTER SMALL CAPITAL B	#
`;

it('selects letters of the chosen scripts that look like one Latin letter', () => {
  expect([...selectConfusables(SOURCE)]).toEqual([
    ['\u0430', 'a'],
    ['\u0410', 'a'],
  ]);
});

it('writes the version, the date and the licence of the data into the table', () => {
  const written = toSource(SOURCE, selectConfusables(SOURCE));
  expect(written).toContain('version 16.0.0, 2024-08-14');
  expect(written).toContain('SPDX-License-Identifier: Unicode-3.0');
  expect(written).toContain("  a: '\u0410\u0430',");
});
