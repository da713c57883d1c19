import { isAsciiAlphanumeric, isAsciiLetter, isDigit, isHexadecimal } from '../normalize/characters.ts';
import { ipv6Site } from './ipv6-site.ts';
import { asWritten, type Span } from './span.ts';

/** The longest prefix that may leave the device: a network of 256 neighbours, or one site. */
const IPV4_PREFIX = 24;
const IPV6_PREFIX = 48;
/** The first 16 bits, and the network of the IPv4 address after them (RFC 3056, section 2). */
const SIX_TO_FOUR_PREFIX = 16 + IPV4_PREFIX;
const SIX_TO_FOUR = 0x2002;
/** Eight groups of four, the last two as a dotted quad: `ffff:…:255.255.255.255` (RFC 4291 section 2.2). */
const MAX_IPV6_LENGTH = 45;
const MAX_ZONE_LENGTH = 64;

const REVERSE_IPV4 = '.in-addr.arpa';
const REVERSE_IPV6 = '.ip6.arpa';
const REVERSED_DIGITS = 32;

const ZERO = 0x30;
const DOT = 0x2e;
const COLON = 0x3a;
const SLASH = 0x2f;
const PERCENT = 0x25;

const VERSION_WORDS = new Set([
  'v',
  'ver',
  'vers',
  'version',
  'versión',
  'versione',
  'versie',
  'wersja',
  'versão',
  'firmware',
  'fw',
  'build',
  'release',
  'rev',
  'revision',
  'driver',
  'patch',
  'kernel',
  'bios',
]);

/** The range that may be read: the text before an address may show that it is not one. */
type Bounds = { readonly from: number; readonly to: number };
type Prefix = { readonly bits: number; readonly end: number };

/** Reads a dotted quad that begins at `start`; a longer dotted number or a version is not an address. */
export function ipv4At(text: string, start: number, { from, to }: Bounds): Span | undefined {
  let address = 0;
  let end = start;
  for (let octets = 0; octets < 4; octets += 1) {
    if (octets > 0 && (end >= to || text.charCodeAt(end++) !== DOT)) return undefined;
    const octetStart = end;
    let octet = 0;
    while (end < to && end - octetStart < 3 && isDigit(text.charCodeAt(end))) {
      octet = octet * 10 + text.charCodeAt(end) - ZERO;
      end += 1;
    }
    if (end === octetStart || octet > 255) return undefined;
    address = address * 256 + octet;
  }
  if (continuesNumber(text, end, to) || isCalledVersion(text, start, from)) return undefined;
  if (text.startsWith(REVERSE_IPV4, end)) return reversedSpan(text, start, end);
  const prefix = prefixAt(text, end, to, 32);
  const network = toDottedNetwork(address, Math.min(prefix?.bits ?? 32, IPV4_PREFIX));
  return networkSpan(text, { start, end: prefix?.end ?? end, network });
}

/** The name of an address in the DNS has its parts in reverse (RFC 1035, section 3.5). */
function reversedSpan(text: string, start: number, end: number): Span {
  const octets = text.slice(start, end).split('.').reverse();
  const network = `${octets.slice(0, 3).join('.')}.0/${IPV4_PREFIX}`;
  return { start, end: end + REVERSE_IPV4.length, write: () => network };
}

/** Reads the name of an IPv6 address in the DNS, one digit a label (RFC 3596, section 2.5). */
export function reversedIpv6At(text: string, start: number, to: number): Span | undefined {
  const end = start + 2 * REVERSED_DIGITS - 1;
  if (end + REVERSE_IPV6.length > to || !text.startsWith(REVERSE_IPV6, end)) return undefined;
  const written = text.slice(start, end);
  if (!/^[0-9a-f](?:\.[0-9a-f]){31}$/i.test(written)) return undefined;
  const digits = written.split('.').reverse().join('');
  const [first = '', second = '', third = ''] = digits.match(/.{4}/g) ?? [];
  const site = [first, second, third].map((group) => Number.parseInt(group, 16));
  const bits = site[0] === SIX_TO_FOUR ? SIX_TO_FOUR_PREFIX : IPV6_PREFIX;
  return { start, end: end + REVERSE_IPV6.length, write: () => `${toNetwork(site, bits)}/${bits}` };
}

function toDottedNetwork(address: number, bits: number): string {
  const network = bits === 0 ? 0 : address & (-1 << (32 - bits));
  return `${network >>> 24}.${(network >>> 16) & 255}.${(network >>> 8) & 255}.${network & 255}/${bits}`;
}

function continuesNumber(text: string, end: number, to: number): boolean {
  if (end >= to) return false;
  const next = text.charCodeAt(end);
  return isDigit(next) || (next === DOT && end + 1 < to && isDigit(text.charCodeAt(end + 1)));
}

/** Finds `v`, `version 1.2.3.4`, `"version": "1.2.3.4"` directly before the number. */
function isCalledVersion(text: string, start: number, from: number): boolean {
  const reach = Math.max(from, start - 4);
  let end = start;
  while (end > reach && ' :="\'/.-_'.includes(text.charAt(end - 1))) end -= 1;
  let wordStart = end;
  const wordReach = Math.max(from, end - 9);
  while (wordStart > wordReach && isWordLetter(text.charCodeAt(wordStart - 1))) wordStart -= 1;
  return VERSION_WORDS.has(text.slice(wordStart, end).toLowerCase());
}

function isWordLetter(code: number): boolean {
  return isAsciiLetter(code) || (code >= 0xc0 && code < 0x250);
}

/**
 * Reads an IPv6 address in any spelling (compressed, full, mapped, with zone, with prefix) that begins at
 * `start`, which must not be inside a word.
 */
export function ipv6At(text: string, start: number, to: number): Span | undefined {
  let runEnd = start;
  let colons = 0;
  for (; runEnd < to && runEnd - start <= MAX_IPV6_LENGTH + 2; runEnd += 1) {
    const code = text.charCodeAt(runEnd);
    if (code === COLON) colons += 1;
    else if (code !== DOT && !isHexadecimal(code)) break;
  }
  if (colons < 2) return undefined;
  if (runEnd < to && isAsciiAlphanumeric(text.charCodeAt(runEnd))) return undefined;
  const end = withoutTrailingPunctuation(text, start, runEnd);
  const site = end - start > MAX_IPV6_LENGTH ? undefined : ipv6Site(text, start, end);
  if (site === undefined) return undefined;
  const prefix = prefixAt(text, zoneEnd(text, end, to), to, 128);
  const longest = site[0] === SIX_TO_FOUR ? SIX_TO_FOUR_PREFIX : IPV6_PREFIX;
  const bits = Math.min(prefix?.bits ?? 128, longest);
  const network = `${toNetwork(site, bits)}/${bits}`;
  return networkSpan(text, { start, end: prefix?.end ?? zoneEnd(text, end, to), network });
}

/** The spelling of RFC 5952: no zeros before a group, and `::` for the zeros at the end. */
function toNetwork(site: readonly number[], bits: number): string {
  let network = '';
  let zeros = '';
  for (const [index, group] of site.entries()) {
    const masked = group & (0xffff0000 >> Math.min(16, Math.max(0, bits - 16 * index)));
    if (masked === 0) zeros += '0:';
    else {
      network += `${zeros}${masked.toString(16)}:`;
      zeros = '';
    }
  }
  return network === '' ? '::' : `${network}:`;
}

function withoutTrailingPunctuation(text: string, start: number, runEnd: number): number {
  let end = runEnd;
  while (end > start && text.charCodeAt(end - 1) === DOT) end -= 1;
  if (text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON) end -= 1;
  return end;
}

/** Returns the end of a zone id (RFC 4007 section 11) after the address, or `end` without one. */
function zoneEnd(text: string, end: number, to: number): number {
  if (end >= to || text.charCodeAt(end) !== PERCENT) return end;
  let at = end + 1;
  while (at < to && at - end <= MAX_ZONE_LENGTH && isZoneCharacter(text.charCodeAt(at))) at += 1;
  while (text.charCodeAt(at - 1) === DOT) at -= 1;
  return at === end + 1 ? end : at;
}

function isZoneCharacter(code: number): boolean {
  return isAsciiAlphanumeric(code) || code === DOT || code === 0x5f || code === 0x7e || code === 0x2d;
}

function prefixAt(text: string, slash: number, to: number, longest: number): Prefix | undefined {
  if (slash >= to || text.charCodeAt(slash) !== SLASH) return undefined;
  let end = slash + 1;
  while (end < to && end - slash <= 3 && isDigit(text.charCodeAt(end))) end += 1;
  const bits = Number(text.slice(slash + 1, end));
  if (end === slash + 1 || bits > longest || continuesNumber(text, end, to)) return undefined;
  return { bits, end };
}

function networkSpan(text: string, found: { start: number; end: number; network: string }): Span {
  const { start, end, network } = found;
  return { start, end, write: text.slice(start, end) === network ? asWritten : () => network };
}
