import { sha256Hex } from '#digest';
import { isAlphanumeric, isDigit, isHexadecimal, isSpace } from '../normalize/characters.ts';
import { hostUrlAt, ipUrlAt, type TextRange, urlAround } from '../normalize/scan-url.ts';
import { credentialsAt } from './credentials.ts';
import { emailAt } from './email.ts';
import { isWithinAddress } from './first-look.ts';
import { ipv4At, ipv6At, reversedIpv6At } from './ip-address.ts';
import { URL_PLACEHOLDER_PREFIX } from './placeholder.ts';
import type { Span } from './span.ts';

const AT = 0x40;
const COLON = 0x3a;
const DOT = 0x2e;
const HYPHEN = 0x2d;
const UNDERSCORE = 0x5f;

/** Finds URLs, e-mail addresses and IP addresses, which are written without spaces. */
export function findAddresses(text: string, from: number, to: number, spans: Span[]): void {
  let chunkStart = from;
  let isPromising = false;
  for (let index = from; index <= to; index += 1) {
    const code = index === to ? 0x20 : text.charCodeAt(index);
    if (code === AT || ((code === DOT || code === COLON) && isWithinAddress(text, index))) isPromising = true;
    if (!isSpace(code)) continue;
    if (isPromising) findUrls(text, { from: chunkStart, to: index }, spans);
    chunkStart = index + 1;
    isPromising = false;
  }
}

type Chunk = { readonly from: number; readonly to: number };

function findUrls(text: string, chunk: Chunk, spans: Span[]): void {
  let position = chunk.from;
  for (let index = chunk.from; index < chunk.to; index += 1) {
    if (text.charCodeAt(index) !== COLON || !text.startsWith('//', index + 1)) continue;
    const url = urlAround(text, index, position, chunk.to);
    if (url === undefined) continue;
    findEmails(text, { from: position, to: url.start }, spans);
    spans.push(toHashedUrl(url));
    position = url.end;
    index = url.end - 1;
  }
  findEmails(text, { from: position, to: chunk.to }, spans);
}

function findEmails(text: string, chunk: Chunk, spans: Span[]): void {
  let position = chunk.from;
  for (let index = chunk.from; index < chunk.to; index += 1) {
    if (text.charCodeAt(index) !== AT) continue;
    const credentials = credentialsAt(text, index, position, chunk.to);
    if (credentials !== undefined) {
      findHosts(text, position, credentials.start, spans);
      spans.push(credentials);
      position = credentials.end + 1;
      continue;
    }
    const email = emailAt(text, index, { quotedFrom: settledEnd(spans), from: position, to: chunk.to });
    if (email === undefined) continue;
    findHosts(text, position, email.start, spans);
    // A quoted local part may overlap a range that the loop has just claimed.
    if (email.start < settledEnd(spans)) continue;
    spans.push(email);
    position = email.end;
    index = email.end - 1;
  }
  findHosts(text, position, chunk.to, spans);
}

function findHosts(text: string, from: number, to: number, spans: Span[]): void {
  let ipv6From = from;
  for (let index = from; index < to; ) {
    const isRun = isHostCharacter(text.charCodeAt(index));
    if (index >= ipv6From && (isRun || startsCompressed(text, index, from))) {
      const address = ipv6At(text, index, to);
      if (address !== undefined) {
        spans.push(address);
        index = address.end;
        ipv6From = index;
        continue;
      }
      ipv6From = endOfColonRun(text, index, to);
    }
    if (!isRun) {
      index += 1;
      continue;
    }
    index = readHostRun(text, index, to, spans);
  }
}

/** Reads the host-like run at `start` and returns where to continue. */
function readHostRun(text: string, start: number, to: number, spans: Span[]): number {
  let end = start;
  let hasDot = false;
  for (; end < to && isHostCharacter(text.charCodeAt(end)); end += 1) {
    if (text.charCodeAt(end) === DOT) hasDot = true;
  }
  if (!hasDot) return end;
  const reversed = reversedIpv6At(text, start, to);
  if (reversed !== undefined) {
    spans.push(reversed);
    return reversed.end;
  }
  const url = hostUrlAt(text, start, end, to);
  if (url !== undefined) {
    spans.push(toHashedUrl(url));
    return url.end;
  }
  return findIpv4s(text, { start, end, to }, spans);
}

function findIpv4s(text: string, run: { start: number; end: number; to: number }, spans: Span[]): number {
  for (let index = run.start; index < run.end; index += 1) {
    if (!isDigit(text.charCodeAt(index)) || continuesDottedNumber(text, index, run.start)) continue;
    const address = ipv4At(text, index, { from: settledEnd(spans), to: run.to });
    if (address === undefined) continue;
    const found = address.end > run.end ? address : urlAtIp(text, index, address, run.to);
    spans.push(found);
    index = found.end - 1;
    if (found.end >= run.end) return found.end;
  }
  return run.end;
}

function urlAtIp(text: string, start: number, address: Span, to: number): Span {
  const url = ipUrlAt(text, start, address.end, to);
  return url === undefined ? address : toHashedUrl(url);
}

/** Replaces a URL by its hash. */
function toHashedUrl({ start, end }: TextRange): Span {
  return {
    start,
    end,
    write: (written) => URL_PLACEHOLDER_PREFIX + sha256Hex(written),
  };
}

function continuesDottedNumber(text: string, index: number, from: number): boolean {
  if (index === from) return false;
  const before = text.charCodeAt(index - 1);
  if (isDigit(before)) return true;
  return before === DOT && index - 1 > from && isDigit(text.charCodeAt(index - 2));
}

/**
 * Returns the end of a run of groups and colons that is not an address: its tail must not be read as one (key
 * fingerprints).
 */
function endOfColonRun(text: string, start: number, to: number): number {
  let end = start;
  while (end < to && (text.charCodeAt(end) === COLON || isHexadecimal(text.charCodeAt(end)))) end += 1;
  return end;
}

/** Distinguishes `::1` from the scope operator in `std::1`. */
function startsCompressed(text: string, index: number, from: number): boolean {
  return text.startsWith('::', index) && (index === from || !isHostCharacter(text.charCodeAt(index - 1)));
}

/** The end of the last claimed range; text before it must not be read again. */
function settledEnd(spans: readonly Span[]): number {
  return spans.at(-1)?.end ?? 0;
}

function isHostCharacter(code: number): boolean {
  return isAlphanumeric(code) || code === DOT || code === HYPHEN || code === UNDERSCORE;
}
