import type { CountryCode } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { type NumberPlan, readPlan } from './number-plan.ts';

/** A national number has 2 to 17 digits (E.164 allows 15; some German numbers are longer). */
const MIN_NATIONAL_LENGTH = 2;
const MAX_NATIONAL_LENGTH = 17;
const MAX_CALLING_CODE_LENGTH = 3;

/** A number without its calling code, and the plan that it belongs to. */
type NationalNumber = { readonly digits: string; readonly plan: NumberPlan };

/** The plans of the countries that share a calling code, the main one first. */
type PlanGroup = {
  readonly main: NumberPlan;
  readonly countries: readonly NumberPlan[];
  /** Lengths of all countries, ascending: to find the country of a number of another length cannot make it valid. */
  readonly lengths: readonly number[];
  /** Whether all countries have the lengths of the main one. */
  readonly isUniform: boolean;
};

/**
 * Decides like `parsePhoneNumberFromString(…).isValid()` of libphonenumber-js, from its metadata, in 0.1–1 µs
 * instead of 4–20 µs: patterns are compiled once, and no number is formatted. A test compares both.
 */
export class NumberValidity {
  readonly #groups = new Map<string, PlanGroup | null>();

  /** Decides about digits after the plus sign, and whether at least their number is right. */
  ofInternational(digits: string): 'valid' | 'possible' | 'invalid' {
    const number = this.#parseInternational(digits);
    if (number === undefined || !hasNationalLength(number)) return 'invalid';
    if (isValid(number)) return 'valid';
    return number.plan.lengths.includes(number.digits.length) ? 'possible' : 'invalid';
  }

  /** Decides about digits as they are dialled in a region, with or without its prefixes. */
  isValidIn(region: CountryCode, digits: string): boolean {
    const number = this.#parseNational(region, digits);
    return number !== undefined && hasNationalLength(number) && isValid(number);
  }

  #parseInternational(digits: string): NationalNumber | undefined {
    if (digits.startsWith('0')) return undefined;
    for (let length = 1; length <= MAX_CALLING_CODE_LENGTH; length += 1) {
      const group = this.#groupOf(digits.slice(0, length));
      if (group !== null) return toNational(digits.slice(length), group);
    }
    return undefined;
  }

  #parseNational(region: CountryCode, digits: string): NationalNumber | undefined {
    const group = this.#groupOf(String(metadata.countries[region]?.[0]));
    if (group === null) return undefined;
    const abroad = prefixLength(digits, group.main.internationalPrefix);
    if (abroad > 0 && abroad < digits.length && digits[abroad] !== '0') {
      return this.#parseInternational(digits.slice(abroad));
    }
    return toNational(withoutCallingCode(digits, group), group);
  }

  #groupOf(callingCode: string): PlanGroup | null {
    let group = this.#groups.get(callingCode);
    if (group === undefined) {
      group = readGroup(callingCode);
      this.#groups.set(callingCode, group);
    }
    return group;
  }
}

function prefixLength(digits: string, prefix: RegExp | string | undefined): number {
  if (prefix === undefined) return 0;
  if (typeof prefix === 'string') return digits.startsWith(prefix) ? prefix.length : 0;
  return prefix.exec(digits)?.[0].length ?? 0;
}

function readGroup(callingCode: string): PlanGroup | null {
  const codes: readonly CountryCode[] | undefined = metadata.country_calling_codes[callingCode];
  const stored = codes?.map((code) => metadata.countries[code]) ?? [];
  const countries = stored.flatMap((plan) => (plan === undefined ? [] : [readPlan(plan)]));
  const shared = metadata.nonGeographic[callingCode];
  const main = countries[0] ?? (shared && readPlan(shared));
  if (main === undefined) return null;
  const lengths = [...new Set([main, ...countries].flatMap((plan) => plan.lengths))].sort((a, b) => a - b);
  const isUniform = countries.every((plan) => String(plan.lengths) === String(main.lengths));
  return { main, countries, lengths, isUniform };
}

function toNational(digits: string, group: PlanGroup): NationalNumber {
  const national = withoutNationalPrefix(digits, group);
  const isOfLength = group.lengths.includes(national.length);
  return { digits: national, plan: (isOfLength && countryOf(national, group)) || group.main };
}

/** `49…` without a plus sign: the calling code is dropped if only the rest is a number, or all is too long. */
function withoutCallingCode(digits: string, group: PlanGroup): string {
  const { callingCode, lengths } = group.main;
  if (!digits.startsWith(callingCode)) return digits;
  const shorter = digits.slice(callingCode.length);
  const whole = withoutNationalPrefix(digits, group);
  const isTooLong = whole.length > (lengths.at(-1) ?? 0);
  return isTooLong ||
    (!isNational(whole, group.main) && isNational(withoutNationalPrefix(shorter, group), group.main))
    ? shorter
    : digits;
}

function withoutNationalPrefix(digits: string, group: PlanGroup): string {
  const { main } = group;
  const rest = withoutPrefix(digits, main);
  if (rest === digits || (isNational(digits, main) && !isNational(rest, main))) return digits;
  if (rest.length < (group.lengths[0] ?? 0)) return digits;
  const { lengths } = group.isUniform ? main : (countryOf(rest, group) ?? main);
  return rest.length > (lengths.at(-1) ?? 0) || lengths.includes(rest.length) ? rest : digits;
}

function withoutPrefix(digits: string, { nationalPrefix, prefixTransform }: NumberPlan): string {
  if (nationalPrefix === undefined) return digits;
  if (typeof nationalPrefix === 'string') {
    return digits.startsWith(nationalPrefix) ? digits.slice(nationalPrefix.length) : digits;
  }
  const prefix = nationalPrefix.exec(digits);
  if (prefix === null) return digits;
  const hasCarrier = prefix.length > 1 && Boolean(prefix.at(-1));
  return prefixTransform !== undefined && hasCarrier
    ? digits.replace(nationalPrefix, prefixTransform)
    : digits.slice(prefix[0].length);
}

/** The length is compared first: most numbers that are not of a plan fail there, without a pattern. */
function isNational(digits: string, { lengths, national }: NumberPlan): boolean {
  return lengths.includes(digits.length) && national.test(digits);
}

function countryOf(national: string, { countries }: PlanGroup): NumberPlan | undefined {
  if (countries.length === 1) return countries[0];
  return countries.find((plan) => plan.leadingDigits?.test(national) ?? isInRange(national, plan));
}

function isValid({ digits, plan }: NationalNumber): boolean {
  return plan.ranges === undefined ? isNational(digits, plan) : isInRange(digits, plan);
}

function isInRange(digits: string, plan: NumberPlan): boolean {
  const { ranges = [] } = plan;
  if (!isNational(digits, plan)) return false;
  return ranges.some(({ pattern, lengths }) => lengths.includes(digits.length) && pattern.test(digits));
}

function hasNationalLength({ digits }: NationalNumber): boolean {
  return digits.length >= MIN_NATIONAL_LENGTH && digits.length <= MAX_NATIONAL_LENGTH;
}
