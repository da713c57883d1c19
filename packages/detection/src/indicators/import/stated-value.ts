import type { ThreatType } from '../../threat-type.ts';
import type { IndicatorType } from '../indicator.ts';

/** What lists and tables call what is looked up here. */
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

/** Tells the type that a name stands for, whatever its case, spaces and hyphens. */
export function typeNamed(name: string): IndicatorType | undefined {
  const plain = plainName(name);
  return Object.hasOwn(NAMES, plain) ? NAMES[plain] : undefined;
}

export function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
}

/** Tells the type of a value by its form. A name with dots is a domain: packages have to be announced. */
export function typeOfValue(value: string): IndicatorType {
  if (/^[0-9a-f]{64}$/i.test(value)) return 'sha256';
  return value.includes('/') || /^[\w.-]+:\d+$/.test(value) ? 'url' : 'domain';
}

/** What a value of a list is, when neither the list nor the operator says. */
export function usualThreatType(type: IndicatorType): ThreatType {
  return type === 'domain' || type === 'url' ? 'known_indicator' : 'malware';
}
