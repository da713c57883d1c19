import { sha256Hex } from '#digest';
import type { AppContent } from '../content.ts';
import {
  IndicatorFormError,
  isAddress,
  parseUrl,
  registeredDomain,
  toCanonicalValue,
} from './canonical-value.ts';
import type { IndicatorKey, IndicatorType } from './indicator.ts';

/** Of a name with more labels, the whole and those nearest to the registered domain are looked up. */
const MAX_PARENTS = 8;
/** Of a deeper path, the whole and its first segments. */
const MAX_SEGMENTS = 8;

/**
 * Returns the key of a value.
 *
 * @throws IndicatorFormError when the value is not of that type
 */
export function keyOf(type: IndicatorType, value: string): IndicatorKey {
  return keyOfCanonical(type, toCanonicalValue(type, value));
}

/** Returns the key of a canonical value. */
export function keyOfCanonical(type: IndicatorType, value: string): IndicatorKey {
  return { type, digest: sha256Hex(value) };
}

export function keyOfSha256(sha256: string): IndicatorKey {
  return keyOf('sha256', sha256);
}

/**
 * Returns the keys under which a URL, or a host name, could be listed: its host, each parent down to the
 * registered domain, and the host with each prefix of its path that ends at a segment, with the query last.
 * At most 19, the most specific first within each type. None for anything else.
 *
 * Like the expressions of Google's Safe Browsing lists, except that a listed path covers everything below it,
 * and that a path is looked up on its own host only.
 */
export function keysOfUrl(address: string): IndicatorKey[] {
  const url = parseUrl(address);
  if (url === undefined) return [];
  const addresses = prefixesOf(url.path).map((path) => url.host + path);
  if (url.query !== '') addresses.unshift(url.host + url.path + url.query);
  return [
    ...namesOf(url.host).map((name) => keyOfCanonical('domain', name)),
    ...addresses.map((value) => keyOfCanonical('url', value)),
  ];
}

/** Returns the keys of an app: its valid ones of package name, certificate and file. */
export function keysOfApp({ packageName, certificateSha256, sha256 }: AppContent): IndicatorKey[] {
  return [
    ...keyOfAny('package', packageName),
    ...keyOfAny('certificate', certificateSha256),
    ...keyOfAny('sha256', sha256),
  ];
}

function keyOfAny(type: IndicatorType, value: string | undefined): IndicatorKey[] {
  if (value === undefined) return [];
  try {
    return [keyOf(type, value)];
  } catch (error) {
    if (error instanceof IndicatorFormError) return [];
    throw error;
  }
}

function namesOf(host: string): string[] {
  if (isAddress(host)) return [host.startsWith('[') ? host.slice(1, -1) : host];
  const registered = registeredDomain(host);
  if (registered === undefined) return [];
  const labels = host
    .slice(0, host.length - registered.length)
    .split('.')
    .slice(0, -1);
  const parents = labels.map((_, at) => [...labels.slice(at), registered].join('.'));
  return [...new Set([host, ...parents.slice(1).slice(-(MAX_PARENTS - 1)), registered])];
}

/** The whole path first, then shorter ones, the root last. */
function prefixesOf(path: string): string[] {
  const prefixes = ['/'];
  for (let at = path.indexOf('/', 1); at > 0 && prefixes.length <= MAX_SEGMENTS; ) {
    prefixes.push(path.slice(0, at));
    at = path.indexOf('/', at + 1);
  }
  if (path !== '/') prefixes.push(path);
  return prefixes.reverse();
}
