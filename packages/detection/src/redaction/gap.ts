import { isSpace } from '../normalize/characters.ts';

const SPACE = 0x20;
const COMMA = 0x2c;
const NO_BREAK_SPACE = 0xa0;

/** What tables, exports and programs write where people write a space. */
const TABLE_SIGNS = new Set(Array.from('_*,|', (sign) => sign.charCodeAt(0)));

export function isTableSign(code: number): boolean {
  return TABLE_SIGNS.has(code);
}

/**
 * Returns whether a character can stand in place of the space between two words: not a comma, which ends a name, nor a sign
 * with a space beside it, which separates the cells of a table.
 */
export function isWordGap(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (isSpace(code)) return true;
  if (code === COMMA || !isTableSign(code)) return false;
  return !isSpace(text.charCodeAt(at - 1)) && !isSpace(text.charCodeAt(at + 1));
}

/** Returns whether a gap has a tab, a line end or a sign of a table. More often than a space, these end what is before them. */
export function endsLine(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (isTableSign(code) || (isSpace(code) && code !== SPACE && code !== NO_BREAK_SPACE)) return true;
  }
  return false;
}
