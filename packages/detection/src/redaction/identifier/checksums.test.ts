import fc from 'fast-check';
import validator from 'validator';
import { describe, expect, it } from 'vitest';
import { isLuhn, isVerhoeff } from './checksums.ts';
import { ibanEnd } from './iban.ts';
import * as check from './national-checks.ts';
import { isWallet } from './wallet.ts';

const digitsOf = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const letter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const RUNS = { numRuns: 20_000 };

describe('check digits', () => {
  it('of Luhn are what validator decides', () => {
    fc.assert(
      fc.property(digitsOf(16), (number) => isLuhn(number) === validator.isLuhnNumber(number)),
      RUNS,
    );
  });

  it('of an IBAN are what validator decides', () => {
    const decidesAlike = (checks: string, bban: string): void => {
      const iban = `DE${checks}${bban}`;
      const found = ibanEnd(iban, 0, iban.length, false) === iban.length;
      expect([iban, found]).toEqual([iban, validator.isIBAN(iban)]);
    };
    fc.assert(fc.property(digitsOf(2), digitsOf(18), decidesAlike), RUNS);
  });

  it('of Verhoeff are what validator decides', () => {
    const decidesAlike = (rest: string): void => {
      const number = `2${rest}`;
      expect([number, isVerhoeff(number)]).toEqual([number, validator.isIdentityCard(number, 'IN')]);
    };
    fc.assert(fc.property(digitsOf(11), decidesAlike), RUNS);
  });

  it.each([
    [
      'the Spanish DNI',
      fc.tuple(digitsOf(8), letter),
      check.spanishDni,
      (id: string) => validator.isIdentityCard(id, 'ES'),
    ],
    [
      'Dutch numbers',
      fc.tuple(digitsOf(9)),
      check.dutchService,
      (id: string) => validator.isTaxID(id, 'nl-NL'),
    ],
    [
      'Brazilian numbers',
      fc.tuple(digitsOf(11)),
      check.brazilianCpf,
      (id: string) => validator.isTaxID(id, 'pt-BR'),
    ],
    [
      'Norwegian numbers',
      fc.tuple(fc.constantFrom('0101', '3112', '1502', '2706'), digitsOf(7)),
      check.norwegianPerson,
      (id: string) => validator.isIdentityCard(id, 'NO'),
    ],
  ] as const)('of %s: what validator accepts is found', (_kind, parts, isValid, accepts) => {
    let accepted = 0;
    fc.assert(
      fc.property(parts, (written) => {
        const id = written.join('');
        if (!accepts(id)) return;
        accepted += 1;
        expect([id, isValid(id)]).toEqual([id, true]);
      }),
      { numRuns: 40_000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it('of Bitcoin addresses: no single changed character is accepted', () => {
    const valid = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
    expect(isWallet(valid, false)).toBe(true);
    fc.assert(
      fc.property(fc.nat(valid.length - 1), fc.constantFrom(...'23456789ABCDEFGHJKLMNPQRST'), (at, other) => {
        const changed = valid.slice(0, at) + other + valid.slice(at + 1);
        expect(isWallet(changed, false)).toBe(changed === valid);
      }),
    );
  });
});
