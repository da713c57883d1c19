const UPPER = 1;
const LOWER = 2;
const DIGIT = 4;
const HEXADECIMAL = 8;
const SPACE = 16;

const ASCII_CLASSES = classifyAscii();

function classifyAscii(): Uint8Array {
  const classes = new Uint8Array(128);
  const mark = (characters: string, flag: number): void => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      classes[code] = (classes[code] ?? 0) | flag;
    }
  };
  mark('ABCDEFGHIJKLMNOPQRSTUVWXYZ', UPPER);
  mark('abcdefghijklmnopqrstuvwxyz', LOWER);
  mark('0123456789', DIGIT);
  mark('0123456789abcdefABCDEF', HEXADECIMAL);
  mark(' \t\n\v\f\r', SPACE);
  return classes;
}

function isOf(code: number, flags: number): boolean {
  return code < 128 && ((ASCII_CLASSES[code] ?? 0) & flags) !== 0;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAsciiUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

export function isAsciiLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
}

export function isAsciiAlphanumeric(code: number): boolean {
  return isOf(code, UPPER | LOWER | DIGIT);
}

export function isHexadecimal(code: number): boolean {
  return isOf(code, HEXADECIMAL);
}

export function isSpace(code: number): boolean {
  return isOf(code, SPACE) || code === 0xa0 || code === 0x2028 || code === 0x2029 || code === 0x85;
}

/** Returns whether the code unit belongs to a script written without spaces (CJK, kana, hangul). */
export function isIdeographic(code: number): boolean {
  return code >= 0x2e80 && code < 0xd800;
}

/**
 * Returns whether the code unit is a letter or combining mark outside ASCII; coarse, by block, not by
 * character.
 */
function isLetterBeyondAscii(code: number): boolean {
  if (code < 0xc0) return false;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7;
  return (code >= 0x2c00 && code < 0x2e00) || (code >= 0x3005 && code < 0xd800 && !isCjkPunctuation(code));
}

/** Returns whether the code unit is a bracket, stop or comma of CJK text, narrow or full-width. */
export function isCjkPunctuation(code: number): boolean {
  return (code >= 0x3001 && code <= 0x3020 && code !== 0x3005) || (code >= 0xff01 && code <= 0xff0f);
}

export function isLetter(code: number): boolean {
  return isAsciiLetter(code) || isLetterBeyondAscii(code);
}

export function isAlphanumeric(code: number): boolean {
  return isAsciiAlphanumeric(code) || isLetterBeyondAscii(code);
}
