import { parse } from 'tldts';
import { isAlphanumeric, isAsciiUpper, isSpace } from './characters.ts';
import { refang } from './refang.ts';
import { hostUrlAt, ipUrlAt, type TextRange, urlAround } from './scan-url.ts';

/** A link in a text, with its position. */
export interface FoundLink {
  /** The link as it would be opened: refanged, with a scheme only if one was written. */
  readonly url: string;
  /** Half open, in UTF-16 code units of the text as written. */
  readonly start: number;
  readonly end: number;
  /** Whether it was written in a defanged or disguised form. */
  readonly defanged: boolean;
}

/** Code units that are read; the rest of a longer message adds nothing. */
const MAX_TEXT_LENGTH = 100_000;
/** Of one text. */
export const MAX_LINKS = 200;
const MAX_HOST_LENGTH = 253;
const DOT = 0x2e;
const COLON = 0x3a;
const AT = 0x40;
/** A bare name under one of these is a link in any position. */
const SURE_TOP_LEVELS = new Set(
  'com net org info biz xyz edu gov uk de fr eu ru cn jp br au ca nl ly gl icu vip shop'.split(' '),
);
/**
 * Public suffixes that are also words, or file extensions: "tomorrow.my", "ok.so", "setup.py", "now.click".
 */
const WORDY_TOP_LEVELS = new Set(
  'am an as at be by can do est id il im in is it la me ml mo mr ms my no nu pa pay so st to us py md rs sh zip mov pl ps cc app bot call click date fail fun gd kim link life live lol love ltd new now ok one red sale tc tel tips today top web win work you'.split(
    ' ',
  ),
);
const MIN_PLAIN_LABEL = 5;

/**
 * Finds links: with a scheme, with `www.`, bare domains under a public suffix, and IP addresses with a path
 * or port, also if written `hxxp`, `[.]`, `{dot}` or with full-width and invisible characters. At most 200,
 * in order, without overlap; only the first 100,000 code units are read. Linear.
 */
export function findLinks(text: string): FoundLink[] {
  const bounded = text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
  const { text: read, origin } = refang(bounded);
  const links: FoundLink[] = [];
  let position = 0;
  let chunkEnd = 0;
  for (let index = 0; index < read.length && links.length < MAX_LINKS; index += 1) {
    const code = read.charCodeAt(index);
    if (code !== DOT && code !== COLON) continue;
    if (index >= chunkEnd) chunkEnd = endOfChunk(read, index);
    const bounds = { from: position, to: chunkEnd };
    const place = code === COLON ? withScheme(read, index, bounds) : withoutScheme(read, index, bounds);
    if (place === undefined) continue;
    index = place.end - 1;
    // The scheme of a URL was read, and the URL begins before it.
    if (place.start > place.end) continue;
    position = place.end;
    if (place.start === place.end || isPartOfAddress(read, place)) continue;
    const start = origin?.starts[place.start] ?? place.start;
    const end = origin?.ends[place.end - 1] ?? place.end;
    const url = read.slice(place.start, place.end);
    links.push({ url, start, end, defanged: url !== bounded.slice(start, end) });
  }
  return links;
}

/** The part before was read already; the part after belongs to another word. */
interface Bounds {
  readonly from: number;
  readonly to: number;
}

function withScheme(text: string, colon: number, { from, to }: Bounds): TextRange | undefined {
  if (!text.startsWith('//', colon + 1)) return undefined;
  // Checked first: `a://a://a://…` would be read to its end again for each of its colons.
  const scheme = /(?:https?|ftp)$/i.exec(text.slice(Math.max(from, colon - 5), colon));
  if (scheme === null) return undefined;
  const found = urlAround(text, colon, from, to);
  return found && { start: colon - scheme[0].length, end: found.end };
}

/**
 * Reads the host around the dot. Without a link it returns an empty range at the end of the host, so that the
 * host is not read again.
 */
function withoutScheme(text: string, dot: number, { from, to }: Bounds): TextRange | undefined {
  let start = dot;
  while (start > from && isHostCharacter(text.charCodeAt(start - 1))) start -= 1;
  let end = dot + 1;
  while (end < to && isHostCharacter(text.charCodeAt(end))) end += 1;
  const runEnd = end;
  // The scheme of a URL is not a host.
  if (text.startsWith('://', end)) return { start: end + 1, end };
  while (start < dot && !isAlphanumeric(text.charCodeAt(start))) start += 1;
  while (end > dot && !isAlphanumeric(text.charCodeAt(end - 1))) end -= 1;
  const nothing = { start: runEnd, end: runEnd };
  if (start === dot || end <= dot + 1 || end - start > MAX_HOST_LENGTH) return nothing;
  const found =
    hostUrlAt(text, start, end, to) ?? (isQuad(text, start, end) ? ipUrlAt(text, start, end, to) : undefined);
  if (found !== undefined) return { start: found.start, end: found.end };
  return isBareDomain(text, start, end) ? { start, end } : nothing;
}

/** The domain or the user of a mail address is not a link. */
function isPartOfAddress(text: string, { start, end }: TextRange): boolean {
  return (
    text.charCodeAt(start - 1) === AT ||
    (text.charCodeAt(end) === AT && !text.slice(start, end).includes('/'))
  );
}

function isBareDomain(text: string, start: number, end: number): boolean {
  const host = text.slice(start, end);
  if (host.includes('..')) return false;
  const lower = host.toLowerCase();
  const topLevel = lower.slice(lower.lastIndexOf('.') + 1);
  if (topLevel.length < 2 || !/[a-z]/i.test(topLevel)) return false;
  const { isIcann, domain, domainWithoutSuffix } = parse(lower, { extractHostname: false, detectIp: false });
  if (isIcann !== true || domain === null || domainWithoutSuffix === null) return false;
  if (!/[\p{L}]/u.test(domainWithoutSuffix) && !SURE_TOP_LEVELS.has(topLevel)) return false;
  if (beginsSentence(host)) return false;
  if (SURE_TOP_LEVELS.has(topLevel)) return true;
  const telling = /[\d-]/.test(lower) || domain.length < lower.length;
  if (WORDY_TOP_LEVELS.has(topLevel)) return telling && !"'\u2019".includes(text.charAt(end) || ' ');
  return telling || domainWithoutSuffix.length >= MIN_PLAIN_LABEL;
}

/**
 * In "now.Click" and "home.Net" a sentence begins after the stop; hosts are not written with one capital in
 * the middle.
 */
function beginsSentence(host: string): boolean {
  const last = host.lastIndexOf('.');
  const before = host.slice(0, last);
  const after = host.slice(last + 1);
  return (
    isAsciiUpper(after.charCodeAt(0)) &&
    after.slice(1) === after.slice(1).toLowerCase() &&
    before !== before.toUpperCase()
  );
}

function isQuad(text: string, start: number, end: number): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text.slice(start, end));
}

function endOfChunk(text: string, from: number): number {
  let end = from;
  while (end < text.length && !isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

function isHostCharacter(code: number): boolean {
  return isAlphanumeric(code) || code === DOT || code === 0x2d || code === 0x5f;
}
