import type { ClassifiedIndicator } from './indicator-kind.ts';
import { observableId } from './stix-id.ts';

/** An indicator in STIX: the observed object, and a pattern that matches it alone. */
export interface StixObservable {
  readonly object: StixObject;
  /**
   * Undefined for a range: the service shortens each address, and the range also has addresses of others. Undefined also
   * for a name that may be no host: the pattern would report the site of another.
   */
  readonly pattern: string | undefined;
}

export interface StixObject {
  readonly type: string;
  readonly spec_version: '2.1';
  readonly id: string;
  readonly [property: string]: unknown;
}

const HASH = { file_sha256: 'SHA-256', file_sha1: 'SHA-1', file_md5: 'MD5' } as const;
const ADDRESS = { ipv4: 'ipv4-addr', ipv6: 'ipv6-addr' } as const;

/**
 * Turns an indicator into a STIX observable. Returns undefined when STIX has no object for it: of a URL only the hash is
 * known, and the URL object requires the URL itself.
 */
export function toStixObservable({ kind, value }: ClassifiedIndicator): StixObservable | undefined {
  switch (kind) {
    case 'file_sha256':
    case 'file_sha1':
    case 'file_md5':
      return {
        object: observable('file', { hashes: { [HASH[kind]]: value } }),
        pattern: `[file:hashes.'${HASH[kind]}' = '${value}']`,
      };
    case 'ipv4':
    case 'ipv6':
      return {
        object: observable(ADDRESS[kind], { value }),
        pattern: value.includes('/') ? undefined : `[${ADDRESS[kind]}:value = '${value}']`,
      };
    case 'domain':
    case 'possible_domain':
      return {
        object: observable('domain-name', { value }),
        pattern: kind === 'domain' ? `[domain-name:value = '${value}']` : undefined,
      };
    case 'url_sha256':
    case 'other':
      return undefined;
  }
}

/** All properties of these objects contribute to their id. */
function observable(type: string, contributing: Readonly<Record<string, unknown>>): StixObject {
  return { type, spec_version: '2.1', id: observableId(type, contributing), ...contributing };
}
