import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import metadata from 'libphonenumber-js/min/metadata';
import { describe, expect, it } from 'vitest';
import { NumberValidity } from './number-validity.ts';
import { INTRODUCED_REGIONS, TRUNK_REGIONS } from './regions.ts';

const validity = new NumberValidity();
const REGIONS = [...new Set([...TRUNK_REGIONS, ...INTRODUCED_REGIONS])];
const CALLING_CODES = [
  ...Object.keys(metadata.country_calling_codes),
  ...Object.keys(metadata.nonGeographic),
];

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 18 });
/** Half of the numbers begin with a prefix that some plan knows. */
const prefixed = fc
  .tuple(
    fc.constantFrom('', '0', '00', '1', '8', '010', '011', '012', '15', '0014', ...CALLING_CODES),
    digits,
  )
  .map(([prefix, rest]) => (prefix + rest).slice(0, 18));

describe('the validity of a phone number', () => {
  it('after a plus sign is what libphonenumber decides', () => {
    const code = fc.constantFrom(...CALLING_CODES);
    const decidesAlike = (calling: string, prefix: string, rest: string): void => {
      const number = (calling + prefix + rest).slice(0, 18);
      const expected = parsePhoneNumberFromString(`+${number}`, { extract: false });
      const possible = expected?.isPossible() ? 'possible' : 'invalid';
      expect([number, validity.ofInternational(number)]).toEqual([
        number,
        expected?.isValid() ? 'valid' : possible,
      ]);
    };
    const prefix = fc.constantFrom('', '', '0', '1', '8', '06');
    fc.assert(fc.property(code, prefix, digits, decidesAlike), {
      numRuns: repetitions({ short: 2_000, soak: 20_000 }),
    });
  });

  it.each(REGIONS)('in %s is what libphonenumber decides', (region: CountryCode) => {
    const decidesAlike = (number: string): void => {
      const expected = parsePhoneNumberFromString(number, { defaultCountry: region, extract: false });
      expect([number, validity.isValidIn(region, number)]).toEqual([number, expected?.isValid() ?? false]);
    };
    fc.assert(fc.property(prefixed, decidesAlike), { numRuns: 3_000 });
  });
});
