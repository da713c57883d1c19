/** The characters from U+00A0 to U+00FF, in order. */
const LATIN_1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
   middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute
   Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute
   THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde
   ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);

/** Other references that occur within numbers, addresses and names. */
const OTHERS: Readonly<Record<string, string>> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    Tab: '\t',
    NewLine: '\n',
    num: '#',
    percnt: '%',
    lpar: '(',
    rpar: ')',
  },
  ...{
    ast: '*',
    plus: '+',
    comma: ',',
    period: '.',
    sol: '/',
    colon: ':',
    semi: ';',
    commat: '@',
    lsqb: '[',
    bsol: '\\',
  },
  ...{
    rsqb: ']',
    lowbar: '_',
    vert: '|',
    verbar: '|',
    hyphen: '\u2010',
    dash: '\u2010',
    ndash: '\u2013',
    mdash: '\u2014',
  },
  ...{
    minus: '\u2212',
    lsquo: '\u2018',
    rsquo: '\u2019',
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    hairsp: '\u200a',
  },
  ...{ numsp: '\u2007', puncsp: '\u2008', zwnj: '\u200c', zwj: '\u200d', lrm: '\u200e', rlm: '\u200f' },
};

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.map((name, index) => [name, String.fromCharCode(0xa0 + index)] as const),
  ...Object.entries(OTHERS),
]);
/** An ampersand may itself be written as a reference, as in text that was escaped twice. */
const REFERENCE = /&(?:(?:amp|#38|#x26);){0,3}(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]\w{1,7}));/iy;
const MAX_CODE_POINT = 0x10ffff;

/** A character reference of HTML in a text. */
export type CharacterReference = {
  /** Its length in the text. */
  readonly length: number;
  /** What it stands for. */
  readonly character: string;
};

/** Reads the character reference that begins at an ampersand: a number, or one of the names within ordinary text. */
export function characterReferenceAt(text: string, index: number): CharacterReference | undefined {
  REFERENCE.lastIndex = index;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const [{ length }, decimal, hex, name] = match;
  if (name !== undefined) {
    const character = NAMED.get(name);
    return character === undefined ? undefined : { length, character };
  }
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code <= MAX_CODE_POINT ? { length, character: String.fromCodePoint(code) } : undefined;
}
