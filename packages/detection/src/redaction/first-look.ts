import { isAsciiLetter, isSpace } from '../normalize/characters.ts';
import { isPhoneSeparator, MIN_PHONE_DIGITS } from './phone/digit-groups.ts';

/**
 * The text can contain an address, a phone number, a name, another number, or a path; or characters that `foldText`
 * replaces.
 */
export const ADDRESS = 1;
export const PHONE = 2;
export const NAME = 4;
export const FOLDS = 8;
export const NUMBER = 16;
export const PATH = 256;

/** Classes of ASCII characters; others belong to none. */
const DIGIT = NUMBER;
const SEPARATOR = 32;
const ADDRESS_SIGN = 64;
const SLASH = 128;

const CLASSES = classifyAscii();

function classifyAscii(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) {
    const character = String.fromCharCode(code);
    let flags = isPhoneSeparator(code) ? SEPARATOR : 0;
    if (character >= '0' && character <= '9') flags |= DIGIT;
    if (character >= 'A' && character <= 'Z') flags |= NAME;
    if (character === '@') flags |= ADDRESS;
    if (character === '.' || character === ':') flags |= ADDRESS_SIGN;
    if (character === '/' || character === '\\') flags |= SLASH;
    if ('[(%&'.includes(character)) flags |= FOLDS;
    classes[code] = flags;
  }
  return classes;
}

const RESULT = ADDRESS | PHONE | NAME | FOLDS | NUMBER | PATH;
const FIRST_LETTER_BEYOND_ASCII = 0xc0;

/**
 * Returns which rules can find anything, in one pass: an address needs an at sign, or a full stop or colon
 * within it; a phone number enough digits without a letter between them; a name a capital; any other number a
 * digit; a path a slash after a letter.
 */
export function lookAt(text: string): number {
  let look = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 128) {
      look |= code >= FIRST_LETTER_BEYOND_ASCII ? FOLDS | NAME : FOLDS;
      if (!isSpace(code)) digits = 0;
      continue;
    }
    const flags = CLASSES[code] ?? 0;
    look |= flags;
    if (flags & DIGIT) {
      digits += 1;
      if (digits === MIN_PHONE_DIGITS) look |= PHONE;
    } else if (!(flags & SEPARATOR)) digits = 0;
    if (flags & (SLASH | ADDRESS_SIGN)) look |= lookAtSign(text, index, flags);
  }
  return look & RESULT;
}

/** A path has a letter before a slash, as in `home/` or `Users\\`. */
function lookAtSign(text: string, index: number, flags: number): number {
  if (flags & SLASH) return index > 0 && isAsciiLetter(text.charCodeAt(index - 1)) ? PATH : 0;
  return isWithinAddress(text, index) ? ADDRESS : 0;
}

/** A full stop or colon at the end of a word is punctuation. */
export function isWithinAddress(text: string, index: number): boolean {
  return index + 1 < text.length && !isSpace(text.charCodeAt(index + 1));
}
