import { isHexadecimal } from '../normalize/characters.ts';

const COLON = 0x3a;
const DOT = 0x2e;
const MAX_GROUPS = 8;
const MAX_GROUP_LENGTH = 4;
/** The groups of the longest prefix that may leave the device, /48. */
const SITE_GROUPS = 3;

/**
 * Returns the first three groups of the IPv6 address between `start` and `end` if it is one (RFC 4291 section
 * 2.2). `::` alone is not an address here.
 */
export function ipv6Site(text: string, start: number, end: number): readonly number[] | undefined {
  const groups: number[] = [];
  let compressedAt: number | undefined;
  for (let at = start; at < end; ) {
    const colons = colonsAt(text, at, end);
    if (colons > 0) {
      if (isMisplaced({ colons, groups: groups.length, compressedAt, isLast: at + 1 === end }))
        return undefined;
      if (colons === 2) compressedAt = groups.length;
      at += colons;
      continue;
    }
    const groupEnd = endOfGroup(text, at, end);
    if (groupEnd < end && text.charCodeAt(groupEnd) === DOT) {
      if (!isDottedQuad(text.slice(at, end))) return undefined;
      groups.push(0, 0);
      break;
    }
    if (groupEnd - at > MAX_GROUP_LENGTH) return undefined;
    groups.push(Number.parseInt(text.slice(at, groupEnd), 16));
    at = groupEnd;
  }
  return toSite(groups, compressedAt);
}

function colonsAt(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== COLON) return 0;
  return at + 1 < end && text.charCodeAt(at + 1) === COLON ? 2 : 1;
}

type Colons = {
  readonly colons: number;
  readonly groups: number;
  readonly compressedAt: number | undefined;
  readonly isLast: boolean;
};

/** `::` occurs once; a single colon is between two groups. */
function isMisplaced({ colons, groups, compressedAt, isLast }: Colons): boolean {
  if (colons === 2) return compressedAt !== undefined;
  return groups === 0 || isLast || compressedAt === groups;
}

/** `::` stands for at least one group. The values of a quad do not matter: it is never in the first groups. */
function toSite(groups: readonly number[], compressedAt: number | undefined): readonly number[] | undefined {
  const omitted = MAX_GROUPS - groups.length;
  if (compressedAt === undefined) return omitted === 0 ? groups.slice(0, SITE_GROUPS) : undefined;
  if (omitted < 1 || groups.length === 0) return undefined;
  const site: number[] = [];
  for (let index = 0; index < SITE_GROUPS; index += 1) {
    const isOmitted = index >= compressedAt && index < compressedAt + omitted;
    site.push((isOmitted ? 0 : groups[index < compressedAt ? index : index - omitted]) ?? 0);
  }
  return site;
}

function endOfGroup(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isHexadecimal(text.charCodeAt(at))) at += 1;
  return at;
}

function isDottedQuad(written: string): boolean {
  const octets = written.split('.');
  return octets.length === 4 && octets.every((octet) => /^\d+$/.test(octet) && Number(octet) <= 255);
}
