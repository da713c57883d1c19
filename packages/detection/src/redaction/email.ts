import {
  isAlphanumeric,
  isAsciiAlphanumeric,
  isAsciiLetter,
  isIdeographic,
  isSpace,
} from '../normalize/characters.ts';
import { EMAIL_PLACEHOLDER } from './placeholder.ts';
import type { Span } from './span.ts';

const AT = 0x40;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const BACKSLASH = 0x5c;

/**
 * Characters of an unquoted local part besides letters and digits (RFC 5322 section 3.2.3), without those
 * that separate the address from the text before it: `user=jane@…`, `path/jane@…`, `a|b@…`, `{jane@…}`.
 */
const LOCAL_SIGNS = '._%+-~!#$^';
/** A local part has at most 64 octets (RFC 5321 section 4.5.3.1.1), and two quotes around it. */
const MAX_QUOTED_LENGTH = 66;
const MAX_LITERAL_LENGTH = 48;
/** The end of the name of a picture for a dense display: `logo@2x.png`. */
const PICTURE = /^\d(?:\.\d)?x\.(?:png|jpe?g|webp|gif|svg|avif|heic|bmp|tiff?|ico|pdf)$/i;

/** The range for an address: a quoted local part may contain spaces, so it has an earlier start. */
export type EmailBounds = { readonly quotedFrom: number; readonly from: number; readonly to: number };

/**
 * Reads the e-mail address around the `@` at `at`: plain, quoted, internationalised, or at an address
 * literal.
 */
export function emailAt(text: string, at: number, bounds: EmailBounds): Span | undefined {
  const end = domainEnd(text, at + 1, bounds.to);
  if (end === undefined) return undefined;
  const start = quotedStart(text, at, bounds.quotedFrom) ?? localStart(text, at, bounds.from);
  return start === at ? undefined : { start, end, write: () => EMAIL_PLACEHOLDER };
}

function localStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && isLocal(text, start - 1, at)) start -= 1;
  while (start < at && '.-!#$'.includes(text.charAt(start))) start += 1;
  return start;
}

function isLocal(text: string, index: number, at: number): boolean {
  const code = text.charCodeAt(index);
  if (isAlphanumeric(code)) return !changesScript(code, text.charCodeAt(index + 1));
  if (code === APOSTROPHE) {
    return (
      index + 1 < at &&
      isAlphanumeric(text.charCodeAt(index - 1)) &&
      isAlphanumeric(text.charCodeAt(index + 1))
    );
  }
  return LOCAL_SIGNS.includes(text.charAt(index));
}

/** Text without spaces may be directly before and after an address, as in `请联系jane@example.com谢谢`. */
function changesScript(left: number, right: number): boolean {
  return (
    (isIdeographic(left) && isAsciiAlphanumeric(right)) || (isAsciiAlphanumeric(left) && isIdeographic(right))
  );
}

function quotedStart(text: string, at: number, from: number): number | undefined {
  if (text.charCodeAt(at - 1) !== QUOTE || at - 1 <= from) return undefined;
  for (let index = at - 2; index >= Math.max(from, at - MAX_QUOTED_LENGTH); index -= 1) {
    const code = text.charCodeAt(index);
    if (code === 0x0a || code === 0x0d) return undefined;
    if (code === QUOTE && text.charCodeAt(index - 1) !== BACKSLASH) return index;
  }
  return undefined;
}

function domainEnd(text: string, start: number, to: number): number | undefined {
  if (text.charAt(start) === '[') return literalEnd(text, start, to);
  let end = start;
  while (end < to && isDomain(text, end, start)) end += 1;
  while (end > start && !isAlphanumeric(text.charCodeAt(end - 1))) end -= 1;
  const name = text.slice(start, end);
  const lastDot = name.lastIndexOf('.');
  if (lastDot <= 0 || name.includes('..')) return undefined;
  return isTopLevel(name, lastDot + 1) && !PICTURE.test(name) ? end : undefined;
}

function isDomain(text: string, index: number, start: number): boolean {
  const code = text.charCodeAt(index);
  if (code === DOT || code === HYPHEN || code === 0x5f) return index > start;
  return isAlphanumeric(code) && (index === start || !changesScript(text.charCodeAt(index - 1), code));
}

/** A top-level domain has two letters or more and is never all digits: `lodash@4.17.21` is not an address. */
function isTopLevel(name: string, start: number): boolean {
  if (name.length - start < 2) return name.length > start && isIdeographic(name.charCodeAt(start));
  const first = name.charCodeAt(start);
  return isAsciiLetter(first) || first >= 0x80;
}

/** Reads `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321 section 4.1.3). */
function literalEnd(text: string, start: number, to: number): number | undefined {
  const isLiteral =
    text.slice(start + 1, start + 6).toLowerCase() === 'ipv6:' || /^\d/.test(text.charAt(start + 1));
  if (!isLiteral) return undefined;
  for (let index = start + 1; index < Math.min(to, start + MAX_LITERAL_LENGTH); index += 1) {
    const code = text.charCodeAt(index);
    if (text.charAt(index) === ']') return index + 1;
    if (isSpace(code) || code === AT) return undefined;
  }
  return undefined;
}
