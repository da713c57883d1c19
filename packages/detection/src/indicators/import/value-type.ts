import { parse } from 'tldts';
import type { ThreatType } from '../../threat-type.ts';
import { isAddress, parseUrl } from '../canonical-value.ts';
import type { IndicatorType } from '../indicator.ts';

/** The names of indicator types in lists and tables. */
const NAMES: Readonly<Record<string, IndicatorType>> = {
  domain: 'domain',
  hostname: 'domain',
  host: 'domain',
  fqdn: 'domain',
  ip: 'domain',
  ipv4: 'domain',
  ipv6: 'domain',
  dst_ip: 'domain',
  ip_address: 'domain',
  'ip:port': 'domain',
  url: 'url',
  uri: 'url',
  phish_url: 'url',
  phishing_url: 'url',
  sha256: 'sha256',
  sha256_hash: 'sha256',
  filehash_sha256: 'sha256',
  package: 'package',
  package_name: 'package',
  app_id: 'package',
  certificate: 'certificate',
};

/** Returns the type that a name stands for, regardless of its case, spaces and hyphens. */
export function typeOfName(name: string): IndicatorType | undefined {
  const plain = plainName(name);
  return Object.hasOwn(NAMES, plain) ? NAMES[plain] : undefined;
}

export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** Why a value of an unrecognized type is skipped. */
export const UNRECOGNIZED_TYPE =
  'it does not end in a top-level domain: if it is the name of an app or a file, state the type';
/** Reserved by RFC 2606. */
const RESERVED = /\.(?:example|test|invalid)$/;
/** Reserved by RFC 7686 for hosts in Tor. */
const ONION = '.onion';

/** Whether no host has this name, in lower case: it stands in documentation and tests. */
export function isReservedHost(name: string): boolean {
  return RESERVED.test(name);
}

/**
 * Returns the type of a value by its form. A name with dots is a domain if it ends in a top-level domain: 554
 * of 616 names of spying apps do not, and of 3,000 listed domains all but three misspelt ones do. Undefined
 * for such a name, whose type has to be stated.
 */
export function typeOfValue(value: string): IndicatorType | undefined {
  if (/^[0-9a-f]{64}$/i.test(value)) return 'sha256';
  if (/^[0-9a-f.:]{2,45}\/\d{1,3}$/i.test(value)) return 'domain';
  if (value.includes('/') || /^[\w.-]+:\d+$/.test(value)) return 'url';
  const host = parseUrl(value)?.host;
  if (host === undefined || isAddress(host) || !host.includes('.')) return 'domain';
  if (isReservedHost(host) || host.endsWith(ONION)) return 'domain';
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return isIcann || isPrivate ? 'domain' : undefined;
}

/** The threat type of a value when neither the list nor the operator states it. */
export function usualThreatType(type: IndicatorType): ThreatType {
  return type === 'domain' || type === 'url' ? 'known_indicator' : 'malware';
}
