import ipaddr from 'ipaddr.js';
import { getDomain } from 'tldts';
import { toUrl } from '../normalize/to-url.ts';
import { type IndicatorType, MAX_VALUE_LENGTH } from './indicator.ts';

const NO_DOMAIN = 'this is neither a domain name nor an IP address';
const MAX_HOST_LENGTH = 253;
/** With a port. Parsing a longer one takes quadratic time: a second for 8000 ideographs. */
const MAX_SERVER_LENGTH = 512;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Android's names, and those of Apple's bundles, which may contain hyphens. */
const PACKAGE = /^[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)+$/;
const MAX_PACKAGE_LENGTH = 255;
const SHA1 = /^[0-9a-f]{40}$/;
const SHA256 = /^[0-9a-f]{64}$/;
/** Browsers accept http and https with any number of slashes, in either direction. */
const SCHEME = /^(?:https?:[/\\]*|[a-z][a-z0-9+.-]{0,31}:\/\/|\/+)/i;
/**
 * IP addresses in lists, which write one address as 8.8.8.8 or 008.008.008.008. Browsers read leading zeros
 * as octal and a single number as all four parts: a list that meant something else would hit an unrelated
 * address.
 */
const DOTTED = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}\.?$/;
/** An IPv4 address within an IPv6 address, as browsers write it. */
const MAPPED = /^\[::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}\]$/;
const PARTS = /^([^/\\?#]*)(.*)$/s;
/** These addresses belong to another machine in each network, or to none. */
const NOT_ON_THE_INTERNET = new Set([
  'unspecified',
  'loopback',
  'private',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'multicast',
  'broadcast',
]);

/** A value that cannot be an indicator. The message does not repeat the value. */
export class IndicatorFormError extends TypeError {
  override readonly name = 'IndicatorFormError';
}

/** A parsed URL: the parts that indicators consist of. */
export interface CanonicalUrl {
  /** Lower-case A-labels without a trailing dot, an IPv4 address, or an IPv6 address in brackets. */
  readonly host: string;
  /** Starts with a slash, and ends with one only if that is all. */
  readonly path: string;
  /** With its question mark; empty without a query. */
  readonly query: string;
}

/**
 * Returns the canonical form of a value, under which it is stored and looked up. A domain may also be an IP
 * address; a certificate is its SHA-256, or its SHA-1 if the source has nothing else.
 *
 * @throws IndicatorFormError when the value is not of that type, or is a public suffix and would cover
 * unrelated sites
 */
export function toCanonicalValue(type: IndicatorType, value: string): string {
  const trimmed = value.trim();
  if (trimmed.length === 0 || trimmed.length > MAX_VALUE_LENGTH) {
    throw new IndicatorFormError(`a value has 1 to ${MAX_VALUE_LENGTH} characters`);
  }
  switch (type) {
    case 'domain':
      return toDomain(trimmed);
    case 'url':
      return toUrlValue(trimmed);
    case 'sha256':
      return toHash(trimmed, [SHA256], 'a SHA-256 is 64 hexadecimal digits');
    case 'certificate':
      return toHash(
        trimmed.replaceAll(':', ''),
        [SHA256, SHA1],
        'a certificate is the 64 hexadecimal digits of its SHA-256, or the 40 of its SHA-1',
      );
    case 'package':
      if (trimmed.length > MAX_PACKAGE_LENGTH || !PACKAGE.test(trimmed)) {
        throw new IndicatorFormError(
          'a package name is two or more parts of letters, digits, _ and -, joined by dots',
        );
      }
      return trimmed;
  }
}

/**
 * Parses a URL with or without a scheme; reads 8,192 characters of its path. Undefined when its host cannot
 * be listed.
 */
export function parseUrl(address: string): CanonicalUrl | undefined {
  // Browsers remove these anywhere.
  const text = address.trim().replace(/[\t\n\r]/g, '');
  const [, authority = '', rest = ''] = PARTS.exec(text.replace(SCHEME, '')) ?? [];
  const server = authority.slice(authority.lastIndexOf('@') + 1);
  // The user is removed completely, regardless of its length: browsers open a host after ten thousand
  // characters.
  const full = `http://${server}${rest.slice(0, 2 * MAX_VALUE_LENGTH)}`;
  const url = server.length > MAX_SERVER_LENGTH ? undefined : toUrl(full);
  if (url === undefined) return undefined;
  const { hostname, pathname, search } = url;
  const host = withoutMapping(hostname.replace(/\.$/, ''));
  if (!isHost(host)) return undefined;
  const path = unescaped(pathname).replace(/\/{2,}/g, '/');
  return {
    host,
    path: path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path,
    query: search === '?' ? '' : unescaped(search),
  };
}

/** Returns whether a canonical host is an IP address. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Returns the registered part of a host. Suffixes under which anyone can register a name, such as
 * `github.io`, count like `com`. Undefined for a suffix alone, and for a name without a dot.
 */
export function registeredDomain(host: string): string | undefined {
  return getDomain(host, { allowPrivateDomains: true, extractHostname: false }) ?? undefined;
}

function toDomain(value: string): string {
  if (/^[0-9a-f.:]+\/\d{1,3}$/i.test(value)) {
    throw new IndicatorFormError('a range of IP addresses cannot be an indicator: list the addresses');
  }
  const isIpv6 = value.includes(':') && ipaddr.IPv6.isValid(value);
  if (/[\s\\[\]]/.test(value)) throw new IndicatorFormError(NO_DOMAIN);
  if (!isIpv6 && /[/:?#@]/.test(value)) {
    throw new IndicatorFormError('a domain has no scheme, port or path: use the type url');
  }
  const host = parseUrl(isIpv6 ? `[${value}]` : value)?.host;
  if (host === undefined) throw new IndicatorFormError(NO_DOMAIN);
  if (isAddress(host)) {
    assertPublic(host);
    if (!isIpv6 && !DOTTED.test(value)) {
      throw new IndicatorFormError('an IP address is four numbers from 0 to 255 without leading zeros');
    }
    return withoutBrackets(host);
  }
  if (registeredDomain(host) === undefined) {
    throw new IndicatorFormError(
      'this is a public suffix, or a name without one: it would cover unrelated sites',
    );
  }
  return host;
}

function toUrlValue(value: string): string {
  const url = parseUrl(value);
  if (url === undefined) throw new IndicatorFormError('this URL has neither a host name nor an IP address');
  if (isAddress(url.host)) assertPublic(url.host);
  else if (!url.host.includes('.')) throw new IndicatorFormError('the host of this URL has no domain');
  return `${url.host}${url.path}${url.query}`;
}

function toHash(value: string, forms: readonly RegExp[], otherwise: string): string {
  const hash = value.toLowerCase();
  if (!forms.some((form) => form.test(hash))) throw new IndicatorFormError(otherwise);
  return hash;
}

function assertPublic(host: string): string {
  if (NOT_ON_THE_INTERNET.has(ipaddr.parse(withoutBrackets(host)).range())) {
    throw new IndicatorFormError('this IP address is not on the public internet');
  }
  return host;
}

/** It leads to the same machine (RFC 4291 section 2.5.5.2). */
function withoutMapping(host: string): string {
  return MAPPED.test(host) ? ipaddr.process(withoutBrackets(host)).toString() : host;
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return true;
  return (
    host.length > 0 && host.length <= MAX_HOST_LENGTH && host.split('.').every((label) => LABEL.test(label))
  );
}

/** RFC 3986 section 6.2.2: unnecessary escapes are removed, the others written in upper case. */
function unescaped(part: string): string {
  return part.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
}
