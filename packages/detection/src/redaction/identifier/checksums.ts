const ZERO = 0x30;

function digitAt(digits: string, index: number): number {
  return digits.charCodeAt(index) - ZERO;
}

/** Returns whether the last digit is the check digit of the Luhn algorithm (ISO/IEC 7812-1 annex B). */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digitAt(digits, digits.length - 1 - index) * (1 + (index % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** Returns the sum of the first digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * digitAt(digits, index), 0);
}

/** Returns the remainder of a number that is too long for a `number`, at most three digits at once. */
export function remainderOf(digits: string, modulus: number): number {
  let remainder = 0;
  for (let index = 0; index < digits.length; index += 1) {
    remainder = (remainder * 10 + digitAt(digits, index)) % modulus;
  }
  return remainder;
}

/** Returns whether digits and capitals have the remainder 1 by 97, letters counting from 10 (ISO/IEC 7064 MOD 97-10). */
export function isMod97(characters: string): boolean {
  let remainder = 0;
  for (let index = 0; index < characters.length; index += 1) {
    const code = characters.charCodeAt(index);
    remainder = code <= 0x39 ? remainder * 10 + code - ZERO : remainder * 100 + code - 55;
    remainder %= 97;
  }
  return remainder === 1;
}

/** Returns whether the last digit is the check digit of ISO/IEC 7064 MOD 11,10. */
export function isMod1110(digits: string): boolean {
  let product = 10;
  for (let index = 0; index < digits.length - 1; index += 1) {
    product = (((product + digitAt(digits, index)) % 10 || 10) * 2) % 11;
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1);
}

const DIHEDRAL = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
];
const PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
];

/** Returns whether the last digit is the check digit of the Verhoeff algorithm. */
export function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digitAt(digits, digits.length - 1 - index);
    const permuted = digitAt(PERMUTATION[index % 8] ?? '', digit);
    check = digitAt(DIHEDRAL[check] ?? '', permuted);
  }
  return check === 0;
}

/** Returns whether the last character of digits and letters is the Luhn check digit with letters from 10. */
export function isLuhnWithLetters(characters: string): boolean {
  let sum = 0;
  for (let index = 0; index < characters.length; index += 1) {
    const value = Number.parseInt(characters.charAt(characters.length - 1 - index), 36);
    const weighted = value * (1 + (index % 2));
    sum += index % 2 === 1 && weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Returns whether a day of a month exists, in years of 366 days. */
export function isDayOfYear(day: number, month: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= (DAYS[month - 1] ?? 0);
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
