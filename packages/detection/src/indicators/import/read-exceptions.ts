import ipaddr from 'ipaddr.js';
import { parseUrl } from '../canonical-value.ts';
import type { IndicatorType } from '../indicator.ts';
import { keyOfCanonical, keysOfUrl } from '../keys.ts';
import { ImportError, type ImportResult } from './collector.ts';
import { detectFormat, importIndicators } from './import-indicators.ts';
import { textsOf, toList, toObject, toOptionalText } from './plain-object.ts';

/** Values that an operator knows to be benign, in any list. */
export interface Exceptions {
  /** The number of exceptions. */
  readonly size: number;
  /**
   * Entries that are not valid exceptions. Empty for a warning list: those contain public suffixes, which indicators do
   * not cover.
   */
  readonly skipped: ImportResult['skipped'];
  /** Returns whether an indicator of that canonical value is left out, because an exception covers it. */
  readonly has: (type: IndicatorType, value: string) => boolean;
}

/**
 * Reads exceptions from a file: a warning list of MISP, or any format of indicators.
 *
 * @throws ImportError when the file has another format
 */
export function readExceptions(filename: string, bytes: Uint8Array): Exceptions {
  const list = warningListOf(bytes);
  if (list?.type === 'cidr') return exceptRanges(list.values);
  if (list?.type === 'substring') return exceptParts(list.values);
  if (list?.type === 'regex') throw new ImportError('a warning list of regular expressions is not supported');
  const values = list && Buffer.from(list.values.join('\n'));
  const format = values ? 'list' : detectFormat(filename, bytes);
  if (format === undefined) throw new ImportError('this is not a text');
  const { indicators, skipped } = importIndicators(values ?? bytes, {
    format,
    source: 'exceptions',
    wholeHosts: true,
  });
  const known = new Set(indicators.map(({ type, value }) => digestOf(type, value)));
  return {
    size: known.size,
    skipped: values ? [] : skipped,
    has: (type, value) => keysOfIndicator(type, value).some((key) => known.has(`${key.type} ${key.digest}`)),
  };
}

interface WarningList {
  readonly type: string | undefined;
  readonly values: readonly string[];
}

/** Reads a warning list: `{"name": …, "type": "hostname", "list": ["example.org", …]}`. */
function warningListOf(bytes: Uint8Array): WarningList | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { list, type } = toObject(JSON.parse(new TextDecoder().decode(bytes)));
    return Array.isArray(list) ? { type: toOptionalText(type), values: textsOf(toList(list)) } : undefined;
  } catch {
    return undefined;
  }
}

/** Excepts the addresses in ranges, also as the host of a URL. */
function exceptRanges(values: readonly string[]): Exceptions {
  const ranges = values.flatMap((value) => {
    const range = value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`;
    return ipaddr.isValidCIDR(range) ? [ipaddr.parseCIDR(range)] : [];
  });
  const has = (type: IndicatorType, value: string) => {
    const host = hostOf(type, value)?.replace(/^\[|\]$/g, '');
    if (host === undefined || !ipaddr.isValid(host)) return false;
    const address = ipaddr.parse(host);
    return ranges.some(([start, bits]) => address.kind() === start.kind() && address.match(start, bits));
  };
  return { size: ranges.length, skipped: [], has };
}

/** Excepts the domains and URLs whose host contains one of the values. */
function exceptParts(values: readonly string[]): Exceptions {
  const parts = values.map((value) => value.trim().toLowerCase()).filter((value) => value !== '');
  const has = (type: IndicatorType, value: string) => {
    const host = hostOf(type, value);
    return host !== undefined && parts.some((part) => host.includes(part));
  };
  return { size: parts.length, skipped: [], has };
}

/** The host of a canonical value. */
function hostOf(type: IndicatorType, value: string): string | undefined {
  if (type === 'domain') return value;
  return type === 'url' ? parseUrl(value)?.host : undefined;
}

function keysOfIndicator(type: IndicatorType, value: string) {
  if (type !== 'domain' && type !== 'url') return [keyOfCanonical(type, value)];
  return keysOfUrl(type === 'domain' && value.includes(':') ? `[${value}]` : value);
}

function digestOf(type: IndicatorType, value: string): string {
  return `${type} ${keyOfCanonical(type, value).digest}`;
}
