import { parse } from 'tldts';
import {
  isAlphanumeric,
  isAsciiAlphanumeric,
  isAsciiLetter,
  isAsciiUpper,
  isCjkPunctuation,
  isDigit,
  isSpace,
} from './characters.ts';

/** A range of a text, half open, in UTF-16 code units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const AT = 0x40;
const SEPARATOR = '://';
/** Ends a URL in running text, in any position. */
const NEVER_IN_URL = '<>"`\u201c\u201d\u201e\u00ab\u00bb';
const BRACKETS = '()[]{}';
const COLON = 0x3a;
const DOT = 0x2e;
const HYPHEN = 0x2d;

/** At the end, this belongs to the sentence rather than to the URL. */
const TRAILING = ".,;:!?'*_~|\u2026";
const CLOSING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** A whole host name has at most 253 characters (RFC 1035 section 2.3.4). */
const MAX_HOST_LENGTH = 253;
const REVERSED_TOP_LEVEL = /^(?:com|org|net|io|de|me|app|co|dev)\./;

/** Reads the URL whose `://` is at `separator`, including scheme and user information. */
export function urlAround(text: string, separator: number, from: number, to: number): TextRange | undefined {
  let start = separator;
  while (start > from && isScheme(text.charCodeAt(start - 1))) start -= 1;
  const isMailHost = start > from && text.charCodeAt(start - 1) === AT;
  while (start < separator && !isAsciiLetter(text.charCodeAt(start))) start += 1;
  if (start === separator) return undefined;
  const rest = separator + SEPARATOR.length;
  const end = urlEnd(text, rest, to);
  if (end <= rest) return undefined;
  return { start: isMailHost ? credentialStart(text, start, from) : start, end };
}

function isScheme(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === 0x2b || code === 0x2d || code === 0x2e;
}

/** In `jane@hosthttps://…` the scheme has absorbed a mail host; the mailbox must be included too. */
function credentialStart(text: string, schemeStart: number, from: number): number {
  let start = schemeStart;
  while (start > from && !',;<>()"'.includes(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Reads a URL without scheme: `www.…`, or a host under a public suffix followed by a port, path, query or
 * fragment.
 */
export function hostUrlAt(text: string, start: number, hostEnd: number, to: number): TextRange | undefined {
  const isWww = text.charCodeAt(start + 3) === 0x2e && text.slice(start, start + 4).toLowerCase() === 'www.';
  if (isWww && hostEnd > start + 4) {
    const end = urlEnd(text, start + 4, to);
    return end > start + 4 ? { start, end } : undefined;
  }
  if (!leadsOn(text, hostEnd, to) || !isPublicHost(text, start, hostEnd)) return undefined;
  if (isAndroidComponent(text, start, hostEnd)) return undefined;
  return { start, end: urlEnd(text, hostEnd, to, hostEnd + 1) };
}

/** Reads a URL whose host is the dotted quad before `hostEnd`; `/24` after it is a prefix, not a path. */
export function ipUrlAt(text: string, start: number, hostEnd: number, to: number): TextRange | undefined {
  const pathStart = portEnd(text, hostEnd, to) ?? hostEnd;
  const sign = text.charAt(pathStart);
  if (pathStart + 1 >= to || !'/?#'.includes(sign) || sign === '') return undefined;
  if (!isAlphanumeric(text.charCodeAt(pathStart + 1)) || isDigit(text.charCodeAt(pathStart + 1)))
    return undefined;
  return { start, end: urlEnd(text, pathStart, to) };
}

function leadsOn(text: string, hostEnd: number, to: number): boolean {
  if (hostEnd >= to) return false;
  const sign = text.charAt(hostEnd);
  if (sign === '/') return true;
  if (sign === '?' || sign === '#') return hostEnd + 1 < to && isAlphanumeric(text.charCodeAt(hostEnd + 1));
  return portEnd(text, hostEnd, to) !== undefined;
}

function portEnd(text: string, colon: number, to: number): number | undefined {
  if (colon >= to || text.charAt(colon) !== ':') return undefined;
  let end = colon + 1;
  while (end < to && end - colon <= 5 && isDigit(text.charCodeAt(end))) end += 1;
  return end === colon + 1 || (end < to && isAlphanumeric(text.charCodeAt(end))) ? undefined : end;
}

/** Returns the start of the host name under a public suffix that continues behind a range: `.example.com` or `-login.example.com`. */
export function startOfHostAround(text: string, end: number): number | undefined {
  const sign = text.charCodeAt(end);
  if ((sign !== DOT && sign !== HYPHEN) || !isAlphanumeric(text.charCodeAt(end + 1))) return undefined;
  let first = end;
  while (first > 0 && end - first < MAX_HOST_LENGTH && isHostSign(text.charCodeAt(first - 1))) first -= 1;
  let last = end;
  while (last < text.length && last - end < MAX_HOST_LENGTH && isHostSign(text.charCodeAt(last))) last += 1;
  while (text.charCodeAt(last - 1) === DOT) last -= 1;
  return isPublicHost(text, first, last) ? first : undefined;
}

function isHostSign(code: number): boolean {
  return isAlphanumeric(code) || code === DOT || code === HYPHEN;
}

function isPublicHost(text: string, start: number, end: number): boolean {
  if (end - start > MAX_HOST_LENGTH || end - start < 4) return false;
  const host = text.slice(start, end);
  const topLevel = host.lastIndexOf('.') + 1;
  if (topLevel < 2 || isDigit(host.charCodeAt(topLevel))) return false;
  const { isIcann, domain } = parse(host, { extractHostname: false, detectIp: false });
  return isIcann === true && domain !== null;
}

/** `com.android.chrome/.Main` names an Android component although `chrome` is a public suffix. */
function isAndroidComponent(text: string, start: number, hostEnd: number): boolean {
  return (
    text.startsWith('/.', hostEnd) &&
    isAsciiUpper(text.charCodeAt(hostEnd + 2)) &&
    REVERSED_TOP_LEVEL.test(text.slice(start, start + 4))
  );
}

/** What a character of Latin-1 means within a URL; most mean nothing. */
const ENDS_URL = 1;
const BRACKET = 2;
const SIGNS = signsOf();

function signsOf(): Uint8Array {
  const signs = new Uint8Array(256);
  for (let code = 0; code < 256; code += 1) {
    if (isSpace(code) || code < 0x20 || NEVER_IN_URL.includes(String.fromCharCode(code)))
      signs[code] = ENDS_URL;
  }
  for (const bracket of BRACKETS) signs[bracket.charCodeAt(0)] = BRACKET;
  return signs;
}

/** Returns the end of the URL that reaches `from`, without the punctuation of the sentence around it. */
function urlEnd(text: string, from: number, to: number, min: number = from): number {
  let hasBrackets = false;
  let end = from;
  for (; end < to; end += 1) {
    const code = text.charCodeAt(end);
    if (code >= 256 ? endsUrlBeyondLatin(code) : SIGNS[code] === ENDS_URL) break;
    if (SIGNS[code] === BRACKET) hasBrackets = true;
    if (code === COLON && startsNextUrl(text, end, from)) {
      end = schemeStart(text, end, from);
      break;
    }
  }
  return withoutTrailing(text, min, end, hasBrackets ? countBrackets(text, from, end) : undefined);
}

function endsUrlBeyondLatin(code: number): boolean {
  return isSpace(code) || isCjkPunctuation(code) || (code >= 0x201c && code <= 0x201e);
}

function countBrackets(text: string, from: number, to: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let index = from; index < to; index += 1) {
    const sign = text.charAt(index);
    if (BRACKETS.includes(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  return counts;
}

/** In a list without spaces, `https://a.example,https://b.example`, each is a separate URL. */
function startsNextUrl(text: string, colon: number, from: number): boolean {
  if (!text.startsWith(SEPARATOR, colon)) return false;
  const start = schemeStart(text, colon, from);
  return start > from && start < colon && ',;|'.includes(text.charAt(start - 1));
}

function schemeStart(text: string, colon: number, from: number): number {
  let start = colon;
  while (start > from && isScheme(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Drops closing punctuation; a closing bracket stays if its opening one is inside the URL. */
function withoutTrailing(
  text: string,
  from: number,
  to: number,
  brackets: Map<string, number> | undefined,
): number {
  let end = to;
  for (; end > from; end -= 1) {
    const sign = text.charAt(end - 1);
    const opening = brackets && CLOSING[sign];
    if (brackets !== undefined && opening !== undefined) {
      const closed = brackets.get(sign) ?? 0;
      if (closed <= (brackets.get(opening) ?? 0)) break;
      brackets.set(sign, closed - 1);
    } else if (!TRAILING.includes(sign)) break;
  }
  return end;
}
