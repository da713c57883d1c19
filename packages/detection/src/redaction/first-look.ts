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
/** May begin a spelling of a full stop: ` dot `, ` .top`, `\\.`. */
const SPELT = 512;

const CLASSES = classifyAscii();

function classifyAscii(): Uint16Array {
  const signs: readonly (readonly [string, number])[] = [
    ['0123456789', DIGIT],
    ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', NAME],
    ['@', ADDRESS],
    ['.:', ADDRESS_SIGN],
    ['/\\', SLASH],
    ['[({<%&', FOLDS],
    ['.d\\', SPELT],
  ];
  return Uint16Array.from({ length: 128 }, (_, code) =>
    signs.reduce(
      (flags, [characters, flag]) => (characters.includes(String.fromCharCode(code)) ? flags | flag : flags),
      isPhoneSeparator(code) ? SEPARATOR : 0,
    ),
  );
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
    if (flags & (SLASH | ADDRESS_SIGN | SPELT)) look |= lookAtSign(text, index, flags);
  }
  return look & RESULT;
}

/** A path has a letter before a slash, as in `home/` or `Users\\`. */
function lookAtSign(text: string, index: number, flags: number): number {
  const folds = flags & SPELT && isSpeltStop(text, index) ? FOLDS : 0;
  if (flags & SLASH) return folds | (index > 0 && isAsciiLetter(text.charCodeAt(index - 1)) ? PATH : 0);
  return folds | (flags & ADDRESS_SIGN && isWithinAddress(text, index) ? ADDRESS : 0);
}

function isSpeltStop(text: string, index: number): boolean {
  const isAfterSpace = isSpace(text.charCodeAt(index - 1));
  const character = text.charAt(index);
  if (character === '.') return isAfterSpace || text.charAt(index + 1) === ' ';
  if (character === 'd') return isAfterSpace && text.startsWith('dot ', index);
  return text.charAt(index + 1) === '.';
}

/** A full stop or colon at the end of a word is punctuation. */
export function isWithinAddress(text: string, index: number): boolean {
  return index + 1 < text.length && !isSpace(text.charCodeAt(index + 1));
}
