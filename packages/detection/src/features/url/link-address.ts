import ipaddr from 'ipaddr.js';
import punycode from 'punycode/punycode.js';
import { parse } from 'tldts';
import { findHosting, type HostingKind } from '../../lexicon/hosting-services.ts';
import { foldConfusables } from '../../normalize/fold-confusables.ts';
import { toUrl } from '../../normalize/to-url.ts';
import { addressInName } from './address-in-name.ts';
import { whyReserved } from './reserved-names.ts';

/**
 * A parsed link. Parts that differ between data sets rather than between pages are removed: scheme, `www.`,
 * last slash.
 */
export interface LinkAddress {
  /** Lower case, with look-alike letters replaced by Latin ones, without `www.`. */
  readonly host: string;
  /** Lower case, with each letter as it is displayed. */
  readonly shown: string;
  /** The registered domain, or the name on a hosting service; for an IP address the address. */
  readonly site: string;
  /** The registered label without suffix: `example` of `www.example.co.uk`. */
  readonly name: string;
  /** The labels before it, with dots; empty without any. */
  readonly subdomains: string;
  /** The public suffix, or that of the hosting service. */
  readonly suffix: string;
  readonly hosting: HostingKind | undefined;
  readonly ip: boolean;
  /** Whether letters of another script imitate Latin ones. */
  readonly disguised: boolean;
  readonly port: boolean;
  readonly userinfo: boolean;
  /** Without its first and last slash. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

/** The same as the limit of a scan. */
const MAX_URL_LENGTH = 100_000;
/** Of a longer path or query, the middle is padding: its beginning and end are read. */
const MAX_PART_LENGTH = 2048;
/** RFC 1035, section 2.3.4. */
const MAX_HOST_LENGTH = 253;
/** Schemes without slashes: the rest would be parsed as a user name and a password. */
const NO_PAGE = /^(?:mailto|tel|sms|javascript|data|blob|about|urn):/i;
const INTERNAL_RANGES: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'unspecified',
  'broadcast',
  'multicast',
]);
/** RFC 1035, section 2.3.4. */
const MAX_LABEL_LENGTH = 63;
const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** Parses a link. Undefined when its host cannot be reached over the internet. */
export function parseLinkAddress(link: string): LinkAddress | undefined {
  const url = toWebUrl(link);
  if (!url) return undefined;
  const written = url.hostname.replace(/\.$/, '');
  // Such a name cannot be resolved, and the steps below would read it once for each of its labels.
  if (written.length > MAX_HOST_LENGTH) return undefined;
  const unmasked = unmask(written);
  const { shown, disguised } = unmasked;
  const inName = addressInName(unmasked.host);
  // On a private address, such a name is a developer's own.
  const host = inName !== undefined && !isInternal(inName) ? inName : unmasked.host;
  const parsed = parse(host, { allowPrivateDomains: true, extractHostname: false });
  if (!isOnInternet(host, parsed)) return undefined;
  const { isIp, domain, domainWithoutSuffix, publicSuffix, isPrivate } = parsed;
  const bare = host.startsWith('www.') && host !== domain ? host.slice(4) : host;
  const place = isIp ? undefined : findHosting(bare);
  const suffix = place?.suffix ?? publicSuffix ?? '';
  const kind = place?.kind ?? (isPrivate ? 'other' : undefined);
  const own = place ? lastLabel(bare.slice(0, -suffix.length - 1)) : (domainWithoutSuffix ?? bare);
  const site = isIp ? host : own === '' ? suffix : `${own}.${suffix}`;
  const subdomains = isIp || bare.length <= site.length ? '' : bare.slice(0, -site.length - 1);
  return {
    host: bare,
    shown,
    site,
    name: isIp ? '' : own,
    subdomains,
    suffix,
    hosting: kind,
    ip: isIp === true,
    disguised,
    port: url.port !== '',
    userinfo: url.username !== '',
    path: withoutMiddle(pathOf(url, link)).replace(/^\/+|\/+$/g, ''),
    query: withoutMiddle(url.search.slice(1)),
  };
}

function withoutMiddle(part: string): string {
  if (part.length <= MAX_PART_LENGTH) return part;
  return part.slice(0, MAX_PART_LENGTH / 2) + part.slice(-MAX_PART_LENGTH / 2);
}

/** Some public suffixes are reserved all the same: `onion`, `home.arpa`. */
function isOnInternet(host: string, { isIp, isIcann, isPrivate }: ReturnType<typeof parse>): boolean {
  if (isIp) return !isInternal(host);
  return host.includes('.') && (isIcann === true || isPrivate === true) && whyReserved(host) === undefined;
}

/**
 * Returns the path with `^` as written: runtimes differ in whether they escape it, and the weights know it
 * unescaped.
 */
function pathOf({ pathname }: URL, link: string): string {
  return link.includes('^') ? pathname.replaceAll('%5E', '^') : pathname;
}

/** Parses a link as the address of a web page; `http` if it has no scheme. */
export function toWebUrl(written: string): URL | undefined {
  const link = written.trim().slice(0, MAX_URL_LENGTH);
  if (NO_PAGE.test(link)) return undefined;
  const scheme = SCHEME.exec(link)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https') return undefined;
  const full = scheme === undefined ? `http://${link.replace(/^\/+/, '')}` : link;
  return toUrl(full);
}

/** Addresses of a home, an office or the device itself, which belong to no host on the internet. */
export function isInternal(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) && INTERNAL_RANGES.has(ipaddr.process(address).range());
}

function lastLabel(labels: string): string {
  return labels.slice(labels.lastIndexOf('.') + 1);
}

function unmask(host: string): { host: string; shown: string; disguised: boolean } {
  if (!host.includes('xn--')) return { host, shown: host, disguised: false };
  const shown = host.split('.').map(decodeLabel).join('.').toLowerCase();
  const { text, folded } = foldConfusables(shown);
  return { host: text.toLowerCase(), shown, disguised: folded > 0 };
}

/** Decodes a label such as `xn--mnchen-3ya` (RFC 3492). A label that is not valid Punycode stays as it is. */
export function decodeLabel(label: string): string {
  if (!label.startsWith('xn--') || label.length > MAX_LABEL_LENGTH) return label;
  try {
    return punycode.decode(label.slice(4));
  } catch {
    return label;
  }
}
