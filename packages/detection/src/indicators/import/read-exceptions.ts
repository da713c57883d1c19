import type { IndicatorType } from '../indicator.ts';
import { keyOfCanonical, keysOfUrl } from '../keys.ts';
import { ImportError, type ImportResult } from './collector.ts';
import { detectFormat, importIndicators } from './import-indicators.ts';
import { textsOf, toList, toObject } from './plain-object.ts';

/** Values that an operator knows to be benign, in any list. */
export interface Exceptions {
  /** The number of exceptions. */
  readonly size: number;
  /**
   * Entries that are not valid exceptions. Empty for a warning list: those contain ranges and public
   * suffixes, which indicators do not cover.
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
  const values = warningListOf(bytes);
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

/**
 * The values of a warning list, one a line: `{"name": …, "type": "hostname", "list": ["example.org", …]}`.
 */
function warningListOf(bytes: Uint8Array): Buffer | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { list } = toObject(JSON.parse(new TextDecoder().decode(bytes)));
    return Array.isArray(list) ? Buffer.from(textsOf(toList(list)).join('\n')) : undefined;
  } catch {
    return undefined;
  }
}

function keysOfIndicator(type: IndicatorType, value: string) {
  if (type !== 'domain' && type !== 'url') return [keyOfCanonical(type, value)];
  return keysOfUrl(type === 'domain' && value.includes(':') ? `[${value}]` : value);
}

function digestOf(type: IndicatorType, value: string): string {
  return `${type} ${keyOfCanonical(type, value).digest}`;
}
