import { sha256Hex } from '#digest';
import {
  INDICATOR_TYPES,
  type Indicator,
  type IndicatorKey,
  type IndicatorMatch,
  type IndicatorType,
} from './indicator.ts';

/** Indicators in memory, for lookup by key. Immutable. */
export interface IndicatorIndex {
  /** The number of indicators. */
  readonly size: number;
  /** The memory that they take, without shared parts. */
  readonly sizeBytes: number;
  /**
   * Finds all indicators with one of these keys that are valid at that time. An invalid key finds nothing.
   */
  find(keys: readonly IndicatorKey[], nowMs: number): readonly IndicatorMatch[];
}

const DIGEST_BYTES = 32;
/** Prefix and position are sorted as one number, which must be exact: 32 and 21 bits. */
const MAX_OF_A_TYPE = 2 ** 21;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
/** Indicators that are processed at a time: some 10 ms at most. */
const SLICE = 5_000;

/** The fields that many indicators have in common. */
type Profile = Omit<Indicator, 'type' | 'value'>;

interface Rows {
  readonly values: string[];
  /** For each, its index among the profiles. */
  readonly profiles: number[];
}

/** Indicators of one type, sorted by the first four bytes of their digests. */
interface Table {
  readonly prefixes: Uint32Array;
  readonly digests: Uint8Array;
  /** For each, its index among the profiles. */
  readonly profiles: Uint32Array;
  /** UTF-8, concatenated. */
  readonly values: Uint8Array;
  /** The end of each value. */
  readonly ends: Uint32Array;
}

/**
 * Creates a store of indicators with canonical values. A lookup compares four bytes in a sorted table, and
 * the whole digest only where they match: some 70 bytes and no object per indicator.
 *
 * @throws RangeError beyond two million of one type
 */
export function createIndicatorIndex(indicators: Iterable<Indicator>): IndicatorIndex {
  const building = buildIndex(indicators);
  let step = building.next();
  while (!step.done) step = building.next();
  return step.value;
}

/**
 * Builds the same store in slices, so that other work runs between them: 100,000 indicators take the thread
 * 0.25 s in total, and the longest slice is sorting, 15 ms.
 *
 * @throws RangeError beyond two million of one type
 */
export async function buildIndicatorIndex(indicators: Iterable<Indicator>): Promise<IndicatorIndex> {
  const building = buildIndex(indicators);
  let step = building.next();
  while (!step.done) {
    await othersTurn();
    step = building.next();
  }
  return step.value;
}

/** Yields after each slice. */
function* buildIndex(indicators: Iterable<Indicator>): Generator<undefined, IndicatorIndex, undefined> {
  const profiles: Profile[] = [];
  const profileOf = createProfiles(profiles);
  const byType = new Map<IndicatorType, Rows>();
  for (const type of INDICATOR_TYPES) byType.set(type, { values: [], profiles: [] });
  let count = 0;
  for (const indicator of indicators) {
    const rows = byType.get(indicator.type);
    rows?.values.push(indicator.value);
    rows?.profiles.push(profileOf(indicator));
    count += 1;
    if (count % SLICE === 0) yield;
  }
  const tables = new Map<IndicatorType, Table>();
  for (const [type, rows] of byType) tables.set(type, yield* buildTable(rows));
  return toIndex(tables, profiles);
}

function toIndex(tables: ReadonlyMap<IndicatorType, Table>, profiles: readonly Profile[]): IndicatorIndex {
  const all = [...tables.values()];
  return {
    size: all.reduce((sum, { prefixes }) => sum + prefixes.length, 0),
    sizeBytes: all.reduce((sum, table) => sum + bytesOf(table), 0),
    find: (keys, nowMs) =>
      keys.flatMap((key) => {
        const table = tables.get(key.type);
        return table === undefined ? [] : matchesIn(table, { key, profiles, nowMs });
      }),
  };
}

function matchesIn(
  table: Table,
  { key, profiles, nowMs }: { key: IndicatorKey; profiles: readonly Profile[]; nowMs: number },
): IndicatorMatch[] {
  if (key.digest.length !== 2 * DIGEST_BYTES) return [];
  const prefix = prefixOf(key.digest);
  const matches: IndicatorMatch[] = [];
  for (let at = firstAtLeast(table.prefixes, prefix); table.prefixes[at] === prefix; at += 1) {
    if (!isDigest(table.digests, at, key.digest)) continue;
    const profile = profiles[table.profiles[at] ?? 0];
    if (profile === undefined || !holds(profile, nowMs)) continue;
    const value = decoder.decode(table.values.subarray(table.ends[at - 1] ?? 0, table.ends[at]));
    matches.push({ key, indicator: { type: key.type, value, ...profile } });
  }
  return matches;
}

function prefixOf(hex: string): number {
  return Number.parseInt(hex.slice(0, 8), 16);
}

/** From its start, up to but without its end. */
function holds(
  { validFromMs = 0, validUntilMs = Number.POSITIVE_INFINITY }: Profile,
  nowMs: number,
): boolean {
  return validFromMs <= nowMs && nowMs < validUntilMs;
}

function firstAtLeast(sorted: Uint32Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isDigest(digests: Uint8Array, at: number, hex: string): boolean {
  for (let byte = 4; byte < DIGEST_BYTES; byte += 1) {
    const wanted = Number.parseInt(hex.slice(2 * byte, 2 * byte + 2), 16);
    if (digests[at * DIGEST_BYTES + byte] !== wanted) return false;
  }
  return true;
}

function* buildTable({ values, profiles }: Rows): Generator<undefined, Table, undefined> {
  const count = values.length;
  if (count > MAX_OF_A_TYPE)
    throw new RangeError(`an index holds at most ${MAX_OF_A_TYPE} indicators of one type`);
  // As hex: a buffer per value took five times as long.
  const digests: string[] = [];
  const order = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const digest = sha256Hex(values[at] ?? '');
    digests.push(digest);
    order[at] = prefixOf(digest) * MAX_OF_A_TYPE + at;
    if (at % SLICE === SLICE - 1) yield;
  }
  order.sort();
  const table = {
    prefixes: new Uint32Array(count),
    digests: new Uint8Array(count * DIGEST_BYTES),
    profiles: new Uint32Array(count),
    values: new Uint8Array(values.reduce((sum, value) => sum + utf8Length(value), 0)),
    ends: new Uint32Array(count),
  };
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const number = order[at] ?? 0;
    const from = number % MAX_OF_A_TYPE;
    table.prefixes[at] = Math.floor(number / MAX_OF_A_TYPE);
    writeHex(digests[from] ?? '', table.digests, at * DIGEST_BYTES);
    table.profiles[at] = profiles[from] ?? 0;
    end += encoder.encodeInto(values[from] ?? '', table.values.subarray(end)).written;
    table.ends[at] = end;
    if (at % SLICE === SLICE - 1) yield;
  }
  return table;
}

/** Lets other work run, also on a platform without `setImmediate`. */
function othersTurn(): Promise<void> {
  const { setImmediate: soon = setTimeout } = globalThis as { setImmediate?: (task: () => void) => void };
  return new Promise((resolve) => void soon(resolve));
}

/** Most values are ASCII. A lone surrogate is written as three bytes. */
function utf8Length(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0x7f) return encoder.encode(text).length;
  }
  return text.length;
}

function writeHex(hex: string, bytes: Uint8Array, from: number): void {
  for (let at = 0; at < hex.length; at += 2) {
    bytes[from + at / 2] = (nibble(hex.charCodeAt(at)) << 4) | nibble(hex.charCodeAt(at + 1));
  }
}

/** The value of a lower-case hex digit. */
function nibble(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

function createProfiles(profiles: Profile[]): (indicator: Indicator) => number {
  const known = new Map<string, number>();
  return (indicator) => {
    const { source, category, threatType, confidence, label, dualUse, validFromMs, validUntilMs } = indicator;
    const name = `${category} ${threatType} ${confidence} ${dualUse} ${validFromMs} ${validUntilMs} ${source}\n${label}`;
    const at = known.get(name);
    if (at !== undefined) return at;
    const { type: _type, value: _value, ...profile } = indicator;
    known.set(name, profiles.length);
    return profiles.push(profile) - 1;
  };
}

function bytesOf({ prefixes, digests, profiles, values, ends }: Table): number {
  return prefixes.byteLength + digests.byteLength + profiles.byteLength + values.byteLength + ends.byteLength;
}
