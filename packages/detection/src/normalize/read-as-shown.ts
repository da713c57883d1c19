const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
/** A character reference of HTML. An ampersand may itself be written as one, any number of times. */
const REFERENCE = /&(?:(?:amp|#38|#x26);)*(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|quot|apos|nbsp|amp));/gi;
const MAX_CODE_POINT = 0x10ffff;
/**
 * From a right-to-left override to its end or that of the line: what is between is shown in reverse order, unless another
 * control of direction is in it.
 */
const OVERRIDDEN = /\u202e([^\u202a-\u202e\u2066-\u2069\n\r\u0085\u2029]*)(?=[\u202c\n\r\u0085\u2029]|$)/g;
/** Long enough to be several words. */
const RUN = /[A-Za-z]{8,}/g;
const CAPITAL = /[A-Z]/;
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;
const MIN_PARTS = 3;
/** In codes and keys, the parts between capitals are shorter. */
const MIN_LENGTH_OF_PARTS = 3;

/** Replaces character references of HTML, as in text that was copied out of a page, by what they stand for. */
export function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (written, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? '&';
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : written;
  });
}

/** Puts what stands after a right-to-left override into the order in which it is shown. */
export function reverseOverridden(text: string): string {
  if (!text.includes('\u202e')) return text;
  return text.replace(OVERRIDDEN, (_, hidden: string) => [...hidden].reverse().join(''));
}

/** Separates words that are only told apart by capitals: "VerifyYourAccount". Names such as "YouTube" stay. */
export function splitCapitalized(text: string): string {
  if (!CAPITAL.test(text)) return text;
  return text.replace(RUN, (run) => {
    const parts = run.match(PART) ?? [];
    const areWords = parts.length >= MIN_PARTS && run.length >= parts.length * MIN_LENGTH_OF_PARTS;
    return areWords ? parts.join(' ') : run;
  });
}
