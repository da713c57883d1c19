import { THREAT_TYPES, type ThreatCategory, type ThreatType } from '../../threat-type.ts';
import { IndicatorFormError, toCanonicalValue } from '../canonical-value.ts';
import type { Indicator, IndicatorType } from '../indicator.ts';
import { toLabel } from '../label.ts';
import { refang } from './refang.ts';
import { isShared } from './shared-host.ts';
import { isWellKnown } from './well-known.ts';

/** What the operator states about a file. It takes precedence over the file. */
export interface ImportOptions {
  /** A short name, such as `stalkerware-indicators`. */
  readonly source: string;
  readonly threatType?: ThreatType;
  /** By default the category of the threat type. */
  readonly category?: ThreatCategory;
  /** 0 to 1. */
  readonly confidence?: number;
  /** No indicator of this file is valid for longer, regardless of the file. */
  readonly validUntilMs?: number;
  /**
   * For lists and tables whose values are all of one type. By default detected from the form of each value.
   */
  readonly type?: IndicatorType;
  /** Accept whole hosts on which anyone can publish, which makes sense for an exception. */
  readonly wholeHosts?: boolean;
  /** Accept whole sites that people use every day, such as those of banks, and public name servers. */
  readonly wellKnown?: boolean;
  /** Returns whether an indicator of this type and canonical value is left out, in any list. */
  readonly isExcepted?: (type: IndicatorType, value: string) => boolean;
  /** For tables: the header, or the number from 1, of the column with the values. */
  readonly column?: string | number;
}

/** An entry that did not become an indicator, with the reason. */
export interface SkippedEntry {
  /** A line such as `12`, an id, or a path within the file. At most 120 characters. */
  readonly where: string;
  readonly why: string;
}

export interface ImportResult {
  /** Each type and value once: the longest validity, then the highest confidence, then the first entry. */
  readonly indicators: readonly Indicator[];
  /** The first thousand. */
  readonly skipped: readonly SkippedEntry[];
  readonly skippedCount: number;
}

/** A file that cannot be imported as a whole. The message does not repeat its content. */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** An indicator as the file states it. */
interface IndicatorEntry {
  readonly type: IndicatorType;
  readonly value: string;
  readonly where: string;
  readonly threatType: ThreatType;
  readonly label?: string | undefined;
  readonly dualUse?: boolean | undefined;
  readonly confidence?: number | undefined;
  readonly validFromMs?: number | undefined;
  readonly validUntilMs?: number | undefined;
}

/** Receives the entries that an importer finds. */
export interface Collector {
  add(entry: IndicatorEntry): void;
  skip(where: string, why: string): void;
  result(): ImportResult;
}

/** More would not fit into the bundle for devices. */
const MAX_INDICATORS = 1_000_000;
const MAX_SKIPPED = 1000;
const MAX_WHERE_LENGTH = 120;
/** Lists name such hosts because of a single page on them. */
const SHARED = 'anyone can publish on this host: the whole host would cover unrelated sites';
const WELL_KNOWN = 'people use this site every day: the whole site would be blocked';
const RANGE = 'a range of IP addresses cannot be an indicator: list the addresses';
const PATTERN = 'this is a pattern with *, and indicators are compared as they are';
/** The confidence for sources that do not state one. */
const DEFAULT_CONFIDENCE = 0.9;
const DUAL_USE_CONFIDENCE = 0.6;

/**
 * Creates a collector that converts entries to indicators: canonical, once each, and counted where that
 * fails.
 */
export function createCollector(options: ImportOptions, maxIndicators = MAX_INDICATORS): Collector {
  checkOptions(options);
  const { wholeHosts = false, wellKnown = false, isExcepted = () => false } = options;
  const indicators = new Map<string, Indicator>();
  const skipped: SkippedEntry[] = [];
  let skippedCount = 0;
  const skip = (where: string, why: string) => {
    skippedCount += 1;
    if (skipped.length < MAX_SKIPPED) skipped.push({ where: where.slice(0, MAX_WHERE_LENGTH), why });
  };
  return {
    skip,
    add(entry) {
      try {
        const value = toCanonicalValue(entry.type, toPlainValue(entry));
        if (!wholeHosts && isShared(entry.type, value)) throw new IndicatorFormError(SHARED);
        if (!wellKnown && !wholeHosts && isWellKnown(entry.type, value)) {
          throw new IndicatorFormError(WELL_KNOWN);
        }
        if (isExcepted(entry.type, value)) throw new IndicatorFormError('an exception covers it');
        const indicator = toIndicator(value, entry, options);
        const { validFromMs, validUntilMs = Number.POSITIVE_INFINITY } = indicator;
        const key = `${entry.type} ${value}`;
        if (validFromMs !== undefined && validUntilMs <= validFromMs) {
          skip(entry.where, 'its validity ends before it begins');
        } else if (isStronger(indicator, indicators.get(key))) indicators.set(key, indicator);
      } catch (error) {
        if (!(error instanceof IndicatorFormError)) throw error;
        skip(entry.where, error.message);
      }
      if (indicators.size > maxIndicators) {
        throw new ImportError(`a file may hold at most ${maxIndicators} indicators`);
      }
    },
    result: () => ({ indicators: [...indicators.values()], skipped, skippedCount }),
  };
}

/** Restores a defanged value, and writes the range of a single address as the address. */
function toPlainValue({ type, value }: Pick<IndicatorEntry, 'type' | 'value'>): string {
  if (type !== 'domain' && type !== 'url') return value;
  const plain = refang(value.trim());
  const [, address, bits] = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i.exec(plain) ?? [];
  if (address === undefined) {
    if (plain.includes('*')) throw new IndicatorFormError(PATTERN);
    return plain;
  }
  if (bits !== (address.includes(':') ? '128' : '32')) throw new IndicatorFormError(RANGE);
  return address;
}

function isStronger(
  { validUntilMs: end = Number.POSITIVE_INFINITY, confidence }: Indicator,
  known: Indicator | undefined,
): boolean {
  if (known === undefined) return true;
  const { validUntilMs: knownEnd = Number.POSITIVE_INFINITY } = known;
  return end === knownEnd ? confidence > known.confidence : end > knownEnd;
}

function toIndicator(value: string, entry: IndicatorEntry, options: ImportOptions): Indicator {
  const { type, label, dualUse = false, validFromMs } = entry;
  const threatType = options.threatType ?? entry.threatType;
  const validUntilMs = Math.min(
    entry.validUntilMs ?? Number.POSITIVE_INFINITY,
    options.validUntilMs ?? Number.POSITIVE_INFINITY,
  );
  const name = toLabel(label);
  return {
    type,
    value,
    source: options.source,
    threatType,
    category: options.category ?? THREAT_TYPES[threatType].category,
    confidence:
      options.confidence ?? entry.confidence ?? (dualUse ? DUAL_USE_CONFIDENCE : DEFAULT_CONFIDENCE),
    ...(name === undefined ? {} : { label: name }),
    ...(dualUse ? { dualUse } : {}),
    ...(validFromMs === undefined ? {} : { validFromMs }),
    ...(Number.isFinite(validUntilMs) ? { validUntilMs } : {}),
  };
}

function checkOptions({ source, confidence }: ImportOptions): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(source)) {
    throw new TypeError('source must be 1 to 64 letters, digits or . _ - and begin with a letter or digit');
  }
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new TypeError('confidence must be a number from 0 to 1');
  }
}
