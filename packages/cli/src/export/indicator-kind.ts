import { isIPv4, isIPv6 } from 'node:net';
import { isReservedHost, typeOfValue } from '@tps/detection/indicators';

/** An indicator of compromise, classified by its form. Hashes and domains in `value` are in lower case. */
export interface ClassifiedIndicator {
  readonly kind:
    | 'file_sha256'
    | 'file_sha1'
    | 'file_md5'
    | 'url_sha256'
    | 'ipv4'
    | 'ipv6'
    | 'domain'
    /** A name that may be a file, or that no host has. */
    | 'possible_domain'
    | 'other';
  readonly value: string;
}

/** The service replaces a URL with this before it stores an event. */
const URL_HASH = /^url:sha256:([0-9a-f]{64})$/;
const FILE_SHA256 = /^(?:file:)?(?:sha256:)?([0-9a-f]{64})$/i;
const FILE_SHA1 = /^(?:file:)?(?:sha1:)?([0-9a-f]{40})$/i;
const FILE_MD5 = /^(?:file:)?(?:md5:)?([0-9a-f]{32})$/i;
const DOMAIN =
  /^(?:sender-)?domain:((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,10}[a-z][a-z0-9-]{0,61}[a-z0-9])$/i;
/** Top-level domains that are seen more often as file name extensions. Not `app` and `pl`, which have many more sites. */
const FILE_NAME = /\.(?:bz|md|mov|ps|py|rs|sh|so|zip)$/i;
/** The name of an app begins with the top-level domain of its maker. */
const APP_NAME = /^(?:com|org|net)\./i;
const ADDRESS = /^([0-9a-fA-F:.]{2,45})(?:\/(\d{1,3}))?$/;

/** Classifies an indicator. Ambiguous forms are `other`. */
export function classifyIndicator(indicator: string): ClassifiedIndicator {
  const forms = [
    [URL_HASH, 'url_sha256'],
    [FILE_SHA256, 'file_sha256'],
    [FILE_SHA1, 'file_sha1'],
    [FILE_MD5, 'file_md5'],
  ] as const;
  for (const [form, kind] of forms) {
    const value = form.exec(indicator)?.[1];
    if (value !== undefined) return { kind, value: value.toLowerCase() };
  }
  return (
    classifyDomain(indicator) ??
    classifyAddress(indicator) ??
    classifyName(indicator) ?? { kind: 'other', value: indicator }
  );
}

function classifyDomain(indicator: string): ClassifiedIndicator | undefined {
  const value = DOMAIN.exec(indicator)?.[1]?.toLowerCase();
  if (value === undefined) return undefined;
  return { kind: isReservedHost(value) ? 'possible_domain' : 'domain', value };
}

/** A bare name is a domain if it ends in a top-level domain. With a file name extension, it may also be a file. */
function classifyName(indicator: string): ClassifiedIndicator | undefined {
  const domain = classifyDomain(`domain:${indicator}`);
  if (domain === undefined || APP_NAME.test(indicator) || typeOfValue(indicator) !== 'domain')
    return undefined;
  return FILE_NAME.test(indicator) ? { ...domain, kind: 'possible_domain' } : domain;
}

function classifyAddress(indicator: string): ClassifiedIndicator | undefined {
  const [, address = '', prefix] = ADDRESS.exec(indicator) ?? [];
  const isWithin = (bits: number) => prefix === undefined || Number(prefix) <= bits;
  if (isIPv4(address) && isWithin(32)) return { kind: 'ipv4', value: indicator };
  if (isIPv6(address) && isWithin(128)) return { kind: 'ipv6', value: indicator.toLowerCase() };
  return undefined;
}
