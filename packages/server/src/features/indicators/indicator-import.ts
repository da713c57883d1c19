import type { NewIndicator } from '@tps/contract';
import { THREAT_TYPES, type ThreatType } from '@tps/detection';
import {
  INDICATOR_TYPES,
  type Indicator,
  IndicatorFormError,
  type IndicatorKey,
  keyOf,
  keyOfCanonical,
  toCanonicalValue,
  toLabel,
} from '@tps/detection/indicators';
import { FairTurns } from '../../platform/concurrency/fair-turns.ts';
import { ServiceError } from '../../platform/service-error.ts';
import { parseTimestamp } from '../../platform/time.ts';

/** Indicators by the key under which they are stored. */
export type KeyedIndicators = ReadonlyMap<IndicatorKey, Indicator>;

/** Where the computation takes its turns. A value takes 4 µs, or 550 µs at the maximum length with escapes. */
interface ImportTurns {
  readonly turns: FairTurns;
  readonly tenantId: string;
}

/**
 * Converts the indicators of a request to their stored form. If two have the same type and value, the later one counts.
 * @throws ServiceError `invalid_field` that names the first invalid indicator by its index
 */
export async function toKeyedIndicators(
  source: string,
  wanted: readonly NewIndicator[],
  { turns, tenantId }: ImportTurns = { turns: new FairTurns(), tenantId: '' },
): Promise<KeyedIndicators> {
  const entries = await turns.runEach(tenantId, wanted, (one, index) => {
    const indicator = toIndicator(source, one, `indicators[${index}]`);
    return [keyOfCanonical(indicator.type, indicator.value), indicator] as const;
  });
  const byKey = new Map(entries.map((entry) => [`${entry[0].type} ${entry[0].digest}`, entry]));
  return new Map(byKey.values());
}

function toIndicator(source: string, wanted: NewIndicator, at: string): Indicator {
  const { type, category, confidence, dual_use: dualUse } = wanted;
  // Scan results quote the label in sentences.
  const label = toLabel(wanted.label);
  const validFromMs = toTime(wanted.valid_from);
  const validUntilMs = toTime(wanted.valid_until);
  if (validFromMs !== undefined && validUntilMs !== undefined && validUntilMs <= validFromMs) {
    throw new ServiceError('invalid_field', `${at}.valid_until must be later than valid_from`);
  }
  return {
    type,
    source,
    category,
    confidence,
    value: toValue(wanted, at),
    threatType: toThreatType(wanted.threat_type, at),
    ...(label === undefined ? {} : { label }),
    ...(dualUse ? { dualUse } : {}),
    ...(validFromMs === undefined ? {} : { validFromMs }),
    ...(validUntilMs === undefined ? {} : { validUntilMs }),
  };
}

function toValue({ type, value }: NewIndicator, at: string): string {
  try {
    return toCanonicalValue(type, value);
  } catch (error) {
    if (!(error instanceof IndicatorFormError)) throw error;
    throw new ServiceError('invalid_field', `${at}.value is invalid: ${error.message}`, { cause: error });
  }
}

function toThreatType(name: string, at: string): ThreatType {
  if (Object.hasOwn(THREAT_TYPES, name)) return name as ThreatType;
  const known = Object.keys(THREAT_TYPES).join(', ');
  throw new ServiceError('invalid_field', `${at}.threat_type must be one of ${known}`);
}

function toTime(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTimestamp(text);
}

/**
 * Returns the key of an indicator from its type and value.
 * @throws ServiceError `invalid_parameter`
 */
export function toIndicatorKey(type: string, value: string): IndicatorKey {
  const known = INDICATOR_TYPES.find((one) => one === type);
  if (!known)
    throw new ServiceError('invalid_parameter', `type must be one of ${INDICATOR_TYPES.join(', ')}`);
  try {
    return keyOf(known, value);
  } catch (error) {
    if (!(error instanceof IndicatorFormError)) throw error;
    throw new ServiceError('invalid_parameter', `value is invalid: ${error.message}`, { cause: error });
  }
}

/** Whether two indicators of the same value have the same content. */
export function hasSameContent(one: Indicator, other: Indicator): boolean {
  return (
    one.category === other.category &&
    one.threatType === other.threatType &&
    one.confidence === other.confidence &&
    one.label === other.label &&
    (one.dualUse ?? false) === (other.dualUse ?? false) &&
    one.validFromMs === other.validFromMs &&
    one.validUntilMs === other.validUntilMs
  );
}
