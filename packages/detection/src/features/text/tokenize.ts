import { splitUnspaced } from '../../normalize/unspaced-script.ts';

/** Placeholders for tokens whose exact characters carry no meaning. */
const MONEY = '<money>';
const PHONE = '<phone>';
const EMAIL = '<email>';
/**
 * Tokens that are read. A text with spaces that people write has fewer in 100,000 characters; one without spaces
 * is read for about 20,000 characters, and its result says so.
 */
export const MAX_TOKENS = 20_000;
/** Longer runs of letters are not words of a language that is written with spaces. */
const MAX_WORD_LENGTH = 24;

// Each alternative is bounded, or cannot fail after it has matched: the whole is linear.
const TOKEN =
  /<link>|<#>|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}|[$\u00a3\u20ac\u20b9] ?\d[\d.,]*|\+?\d(?:[ ().-]{0,2}\d){6,14}|\d+(?:[.,:/]\d+)*%?|[\p{L}\p{M}]+(?:'[\p{L}]+)?|[!?%]+/gu;

/** The letters of `isUnspaced`, roughly: only tokens that contain one are passed to `splitUnspaced`. */
const UNSPACED = /[\u0e00-\u0e7f\u1100-\u11ff\u2e80-\uffff]/;

/**
 * Splits a normalized text into words. Sums of money, phone numbers and mail addresses become placeholders,
 * other numbers their length: the exact code or sum teaches a model nothing. Scripts without spaces become
 * pairs of letters.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  const hasUnspaced = UNSPACED.test(text);
  for (const token of text.match(TOKEN) ?? []) {
    if (hasUnspaced && UNSPACED.test(token)) splitUnspaced(token, (word) => tokens.push(toWord(word)));
    else tokens.push(toToken(token));
    if (tokens.length >= MAX_TOKENS) break;
  }
  return tokens.length > MAX_TOKENS ? tokens.slice(0, MAX_TOKENS) : tokens;
}

function toToken(token: string): string {
  const code = token.charCodeAt(0);
  if (code >= 0x61 && code <= 0x7a) {
    if (token.includes('@')) return EMAIL;
    return toWord(token);
  }
  if (code === 0x21 || code === 0x3f || code === 0x25) return token.length > 1 ? token.slice(0, 2) : token;
  if (token === '<link>' || token.length === 1) return isDigit(code) ? '<1>' : token;
  if ('$\u00a3\u20ac\u20b9'.includes(token.charAt(0))) return MONEY;
  if (isDigit(code) || code === 0x2b) return toNumber(token);
  return toWord(token);
}

/** Shortens drawn-out words: "sooooo" and "yesss" keep two of a letter. */
function toWord(token: string): string {
  const word = isDrawnOut(token) ? token.replace(/(.)\1{2,}/gu, '$1$1') : token;
  return word.length > MAX_WORD_LENGTH ? word.slice(0, MAX_WORD_LENGTH) : word;
}

/** Returns whether a token may have a letter three times in a row. A loop is faster than the pattern for most words. */
function isDrawnOut(token: string): boolean {
  if (token.length <= 3) return false;
  for (let at = 2; at < token.length; at += 1) {
    const code = token.charCodeAt(at);
    if ((code === token.charCodeAt(at - 1) && code === token.charCodeAt(at - 2)) || code >= 0xd800)
      return true;
  }
  return false;
}

function toNumber(token: string): string {
  if (token.includes('@')) return EMAIL;
  if (token.endsWith('%')) return '<percent>';
  let digits = 0;
  for (let at = 0; at < token.length; at += 1) if (isDigit(token.charCodeAt(at))) digits += 1;
  if (digits >= 7) return PHONE;
  if (token.includes(':')) return '<time>';
  return token.includes('.') || token.includes(',') ? '<amount>' : `<${digits}>`;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
