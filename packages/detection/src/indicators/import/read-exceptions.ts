import type { IndicatorType } from '../indicator.ts';
import { keyOfCanonical, keysOfUrl } from '../keys.ts';
import { ImportError, type ImportResult } from './collector.ts';
import { detectFormat, importIndicators } from './import-indicators.ts';
import { listOf, objectOf, textsOf } from './plain-object.ts';

/** What somebody knows to be harmless, whoever lists it. */
export interface Exceptions {
  /** How many there are. */
  readonly size: number;
  /** What of the file is none. Not told of a warning list: those hold ranges and public suffixes, which no indicator covers. */
  readonly skipped: ImportResult['skipped'];
  /** Whether an indicator of that canonical value is left out: one that an indicator of an exception's value would cover. */
  readonly has: (type: IndicatorType, value: string) => boolean;
}

/**
 * Reads exceptions from a file: a warning list of MISP, or any format of indicators.
 *
 * @throws ImportError when the file is of none of them
 */
export function readExceptions(filename: string, bytes: Uint8Array): Exceptions {
  const values = warningListOf(bytes);
  const format = values ? 'list' : detectFormat(filename, bytes);
  if (format === undefined) throw new ImportError('this is no text');
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

/** The values of a warning list, one a line: `{"name": …, "type": "hostname", "list": ["example.org", …]}`. */
function warningListOf(bytes: Uint8Array): Buffer | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    const { list } = objectOf(JSON.parse(new TextDecoder().decode(bytes)));
    return Array.isArray(list) ? Buffer.from(textsOf(listOf(list)).join('\n')) : undefined;
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
