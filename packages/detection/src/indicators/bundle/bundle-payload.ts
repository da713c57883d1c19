import { THREAT_CATEGORIES, THREAT_TYPES } from '../../threat-type.ts';
import { INDICATOR_TYPES, type Indicator, type IndicatorType, MAX_VALUE_LENGTH } from '../indicator.ts';
import { parseTime } from '../parse-time.ts';

/** The indicators of a tenant in the form that its devices receive. */
export interface IndicatorBundle {
  /** Increases with each bundle that is made for the tenant. */
  readonly version: number;
  readonly tenantId: string;
  readonly generatedAtMs: number;
  /** Devices stop using the bundle at this time. */
  readonly expiresAtMs: number;
  readonly indicators: readonly Indicator[];
}

const MAX_INDICATORS = 1_000_000;
const MAX_TEXT_LENGTH = 200;

/** Indicators that differ only in type and value: their common fields are written once. */
type Group = {
  readonly category: Indicator['category'];
  readonly confidence: number;
  readonly dual_use?: true;
  readonly label?: string;
  readonly source: string;
  readonly threat_type: Indicator['threatType'];
  readonly valid_from?: string;
  readonly valid_until?: string;
} & { readonly [Type in IndicatorType]?: readonly string[] };

/**
 * Writes a bundle as canonical JSON (RFC 8785), with sorted members, groups and values, so that the same
 * indicators are always the same bytes.
 */
export function writeBundle(bundle: IndicatorBundle): string {
  const groups = new Map<string, Map<IndicatorType, Set<string>>>();
  for (const indicator of bundle.indicators) {
    const shared = JSON.stringify(sharedOf(indicator));
    const values = groups.get(shared) ?? new Map<IndicatorType, Set<string>>();
    groups.set(shared, values);
    const ofType = values.get(indicator.type) ?? new Set<string>();
    values.set(indicator.type, ofType.add(indicator.value));
  }
  const indicators = [...groups].sort(byText).map(([shared, values]) => {
    const lists = [...values].map(([type, each]) => [type, [...each].sort()] as const);
    return inOrder({ ...(JSON.parse(shared) as object), ...Object.fromEntries(lists) });
  });
  return JSON.stringify({
    expires_at: toText(bundle.expiresAtMs),
    generated_at: toText(bundle.generatedAtMs),
    indicators,
    tenant_id: bundle.tenantId,
    version: bundle.version,
  });
}

/** Reads the output of `writeBundle`. Groups of unknown types are skipped. Undefined for anything else. */
export function readBundle(text: string): IndicatorBundle | undefined {
  const { version, tenant_id: tenantId, generated_at, expires_at, indicators: groups } = parseObject(text);
  const generatedAtMs = parseTime(generated_at);
  const expiresAtMs = parseTime(expires_at);
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || typeof tenantId !== 'string') {
    return undefined;
  }
  if (generatedAtMs === undefined || expiresAtMs === undefined || !Array.isArray(groups)) return undefined;
  const indicators: Indicator[] = [];
  const areAll = groups.every((group: unknown) => addGroup(group, indicators));
  return areAll ? { version, tenantId, generatedAtMs, expiresAtMs, indicators } : undefined;
}

/** Returns false for an invalid group, or when there are too many indicators. */
function addGroup(value: unknown, all: Indicator[]): boolean {
  const group = (value ?? {}) as Group;
  if (!isGroup(group)) return false;
  const { source, label, confidence, dual_use, threat_type: threatType, category } = group;
  // A service newer than this device may know further types.
  if (!Object.hasOwn(THREAT_TYPES, threatType) || !THREAT_CATEGORIES.includes(category)) return true;
  const validFromMs = parseTime(group.valid_from);
  const validUntilMs = parseTime(group.valid_until);
  const shared = {
    source,
    category,
    threatType,
    confidence,
    ...(label === undefined ? {} : { label }),
    ...(dual_use === true ? { dualUse: true } : {}),
    ...(validFromMs === undefined ? {} : { validFromMs }),
    ...(validUntilMs === undefined ? {} : { validUntilMs }),
  };
  for (const type of INDICATOR_TYPES) {
    const values: unknown = group[type] ?? [];
    if (!Array.isArray(values) || all.length + values.length > MAX_INDICATORS) return false;
    if (!values.every((each) => typeof each === 'string' && each.length <= MAX_VALUE_LENGTH)) return false;
    // Copies of one object: with members assembled for each, 100,000 take three times as long.
    const first = { type, value: '', ...shared };
    for (const value of values) all.push({ ...first, value });
  }
  return true;
}

function isGroup({ source, label, confidence, valid_from, valid_until }: Group): boolean {
  return (
    isText(source) &&
    (label === undefined || isText(label)) &&
    typeof confidence === 'number' &&
    confidence >= 0 &&
    confidence <= 1 &&
    [valid_from, valid_until].every((time) => time === undefined || parseTime(time) !== undefined)
  );
}

function sharedOf({ type: _type, value: _value, ...indicator }: Indicator): Omit<Group, IndicatorType> {
  const { category, confidence, dualUse, label, source, threatType, validFromMs, validUntilMs } = indicator;
  return {
    category,
    confidence,
    ...(dualUse ? { dual_use: true as const } : {}),
    ...(label === undefined ? {} : { label }),
    source,
    threat_type: threatType,
    ...(validFromMs === undefined ? {} : { valid_from: toText(validFromMs) }),
    ...(validUntilMs === undefined ? {} : { valid_until: toText(validUntilMs) }),
  };
}

function inOrder(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(byText));
}

function byText([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_TEXT_LENGTH;
}

/** RFC 3339, to the millisecond. */
function toText(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
