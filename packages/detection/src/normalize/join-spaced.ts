import { DISGUISED_WORDS } from './disguised-words.ts';

/** Separators between the letters of a spaced word. */
const SEPARATORS = ' ._-*/|\u00b7\u2022~+,';
/** Fewer letters are initials, or "r u ok". */
const MIN_BY_SPACE = 4;
const MIN_BY_SIGN = 3;
/** Shorter ones are abbreviations such as "U.S.A.", unless they are words that senders disguise. */
const MIN_DISGUISE = 6;

/** Most texts have no spaced word, and a pattern finds that out ten times as fast as the loop below. */
const MAY_BE_SPACED =
  /(?<![A-Za-z0-9])[A-Za-z0-9@$!]([ ._*/|\u00b7\u2022~+,-])[A-Za-z0-9@$!]\1[A-Za-z0-9@$!](?![A-Za-z0-9])/;

/** Joins words whose letters are separated by the same character: "v e r i f y", "f.r.e.e". Linear. `joined` does not count abbreviations. */
export function joinSpaced(text: string): { readonly text: string; readonly joined: number } {
  if (!MAY_BE_SPACED.test(text)) return { text, joined: 0 };
  let output = '';
  let settled = 0;
  let joined = 0;
  let changed = false;
  for (let index = 0; index + 4 < text.length; ) {
    const end = endOfSpaced(text, index);
    if (end === undefined) {
      index += 1;
      continue;
    }
    const word = lettersOf(text, index, end);
    if (word !== undefined) {
      output += text.slice(settled, index) + word;
      settled = end;
      changed = true;
      if (word.length >= MIN_DISGUISE || DISGUISED_WORDS.has(word.toLowerCase())) joined += 1;
    }
    index = end;
  }
  return !changed ? { text, joined } : { text: output + text.slice(settled), joined };
}

/** Returns the end of the run of single letters that begins at `start`, if one does. */
function endOfSpaced(text: string, start: number): number | undefined {
  if (!isSingle(text, start) || !isBoundary(text, start - 1)) return undefined;
  const separator = text.charAt(start + 1);
  if (!SEPARATORS.includes(separator) || separator === '') return undefined;
  let end = start + 1;
  while (text.charAt(end) === separator && isSingle(text, end + 1) && !isWordSign(text, end + 2)) end += 2;
  return end > start + 1 ? end : undefined;
}

function lettersOf(text: string, start: number, end: number): string | undefined {
  let word = '';
  let letters = 0;
  for (let index = start; index < end; index += 2) {
    const sign = text.charAt(index);
    if (isLetter(sign.charCodeAt(0))) letters += 1;
    word += sign;
  }
  const fewest = text.charAt(start + 1) === ' ' ? MIN_BY_SPACE : MIN_BY_SIGN;
  return word.length >= fewest && letters * 3 >= word.length * 2 ? word : undefined;
}

function isSingle(text: string, index: number): boolean {
  return isWordSign(text, index) || '@$!'.includes(text.charAt(index) || ' ');
}

function isBoundary(text: string, index: number): boolean {
  return index < 0 || !(isWordSign(text, index) || "'\u2019@$".includes(text.charAt(index)));
}

function isWordSign(text: string, index: number): boolean {
  if (index >= text.length) return false;
  const code = text.charCodeAt(index);
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

function isLetter(code: number): boolean {
  const upper = code & ~0x20;
  return upper >= 0x41 && upper <= 0x5a;
}
