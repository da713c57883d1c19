import { isDayOfYear, isLuhn, isMod1110, isVerhoeff, remainderOf, weightedSum } from './checksums.ts';

const LETTERS_OF_DNI = 'TRWAGMYFPDXBNJZSQVHLCKE';
const LETTERS_OF_HETU = '0123456789ABCDEFHJKLMNPRSTUVWXY';
/** The values of characters in odd places of a codice fiscale (D.M. 23/12/1976); letters from A, digits like their letters. */
const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];
/** A digit of a codice fiscale is a letter if two people would have the same one. */
const CODICE_FISCALE = /^[A-Z]{6}[\dL-NP-V]{2}[A-EHLMPRST][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z]$/;
const CURP = /^[A-Z][AEIOUX][A-Z]{2}\d{6}[HMX][A-Z]{5}[A-Z\d]\d$/;
const VALUES_OF_CURP = '0123456789ABCDEFGHIJKLMN\u00d1OPQRSTUVWXYZ';
/** Prefixes that are never issued (HMRC, NIM39110), and the suffix. */
const NINO = /^(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/;
const REGIONS_OF_TAIWAN = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';

const number = (id: string, from: number, to: number): number => Number(id.slice(from, to));
const isDate = (id: string, day: number, month: number): boolean =>
  isDayOfYear(number(id, day, day + 2), number(id, month, month + 2));

export const usSocialSecurity = (id: string): boolean => !/^(?:000|666)|^...00|0000$/.test(id);

/** One digit occurs twice or three times in the first ten, the others at most once. */
export function germanTax(id: string): boolean {
  if (id.startsWith('0')) return false;
  const counts = Array.from('0123456789', (digit) => id.slice(0, 10).split(digit).length - 1);
  const repeated = counts.filter((count) => count > 1);
  return repeated.length === 1 && (repeated[0] ?? 0) <= 3 && isMod1110(id);
}

const PENSION_WEIGHTS = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1];

export function germanPension(id: string): boolean {
  const day = number(id, 2, 4);
  if (!isDayOfYear(day > 50 ? day - 50 : day, number(id, 4, 6))) return false;
  const letter = String(id.charCodeAt(8) - 64).padStart(2, '0');
  const digits = id.slice(0, 8) + letter + id.slice(9, 11);
  const sum = PENSION_WEIGHTS.reduce((total, weight, index) => {
    const product = weight * number(digits, index, index + 1);
    return total + (product % 10) + Math.floor(product / 10);
  }, 0);
  return sum % 10 === number(id, 11, 12);
}

export const spanishDni = (id: string): boolean => LETTERS_OF_DNI[number(id, 0, 8) % 23] === id[8];

export function spanishNie(id: string): boolean {
  const first = 'XYZ'.indexOf(id.charAt(0));
  return first >= 0 && spanishDni(String(first) + id.slice(1));
}

export function italianFiscal(id: string): boolean {
  if (!CODICE_FISCALE.test(id)) return false;
  let sum = 0;
  for (let index = 0; index < 15; index += 1) {
    const code = id.charCodeAt(index);
    const value = code <= 0x39 ? code - 0x30 : code - 0x41;
    sum += index % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value;
  }
  return sum % 26 === id.charCodeAt(15) - 0x41;
}

export function frenchSecurity(id: string): boolean {
  if (!/^[1-478]\d\d(?:0[1-9]|1[0-2]|[2-4]\d|[5-9]\d)(?:\d\d|2[AB])\d{8}$/.test(id)) return false;
  const digits = id.slice(0, 13).replace('A', '0').replace('B', '0');
  const corsica = id[6] === 'A' ? 1_000_000 : id[6] === 'B' ? 2_000_000 : 0;
  return 97 - ((Number(digits) - corsica) % 97) === number(id, 13, 15);
}

export const dutchService = (id: string): boolean =>
  (weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2]) - number(id, 8, 9)) % 11 === 0;

export function belgianRegister(id: string): boolean {
  const month = number(id, 2, 4) % 20;
  if (month > 12 || number(id, 4, 6) > 31) return false;
  const check = number(id, 9, 11);
  return [id.slice(0, 9), `2${id.slice(0, 9)}`].some((digits) => 97 - (Number(digits) % 97) === check);
}

/** People born from 1900 to 2099. */
export function polishPesel(id: string): boolean {
  const month = number(id, 2, 4);
  if (!isDayOfYear(number(id, 4, 6), month > 20 ? month - 20 : month)) return false;
  return weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

export const polishNip = (id: string): boolean =>
  weightedSum(id, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === number(id, 9, 10);

export function portugueseTax(id: string): boolean {
  const check = 11 - (weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2]) % 11);
  return /^(?:[1235689]|45)/.test(id) && (check > 9 ? 0 : check) === number(id, 8, 9);
}

export function brazilianCpf(id: string): boolean {
  if (/^(\d)\1+$/.test(id)) return false;
  const first = ((weightedSum(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  const second = ((weightedSum(id, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10;
  return first === number(id, 9, 10) && second === number(id, 10, 11);
}

export const swissInsurance = (id: string): boolean =>
  id.startsWith('756') && weightedSum(id, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;

export const austrianInsurance = (id: string): boolean =>
  isDate(id, 4, 6) && weightedSum(id, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === number(id, 3, 4);

export function swedishPerson(id: string): boolean {
  const short = id.slice(-10);
  const day = number(short, 4, 6);
  return isDayOfYear(day > 60 ? day - 60 : day, number(short, 2, 4)) && isLuhn(short);
}

export function finnishPerson(id: string): boolean {
  const digits = id.slice(0, 6) + id.slice(-4, -1);
  return /^\d{9}$/.test(digits) && isDate(id, 0, 2) && LETTERS_OF_HETU[Number(digits) % 31] === id.at(-1);
}

export const danishPerson = (id: string): boolean => isDate(id, 0, 2);

export function norwegianPerson(id: string): boolean {
  const day = number(id, 0, 2);
  return (
    isDayOfYear(day > 40 ? day - 40 : day, number(id, 2, 4)) &&
    weightedSum(id, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
    weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

export function czechBirthNumber(id: string): boolean {
  const month = number(id, 2, 4) % 50;
  if (!isDayOfYear(number(id, 4, 6), month > 20 ? month - 20 : month)) return false;
  return Number(id) % 11 === 0 || ((Number(id) - number(id, 9, 10)) / 10) % 11 === 10;
}

export function romanianPerson(id: string): boolean {
  if (!/^[1-8]/.test(id) || !isDate(id, 5, 3)) return false;
  const check = weightedSum(id, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return (check === 10 ? 1 : check) === number(id, 12, 13);
}

export const bulgarianPerson = (id: string): boolean =>
  (weightedSum(id, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === number(id, 9, 10);

export const greekAmka = (id: string): boolean => isDate(id, 0, 2) && isLuhn(id);

export function turkishPerson(id: string): boolean {
  const tenth = weightedSum(id, [7, -1, 7, -1, 7, -1, 7, -1, 7]);
  return (
    !id.startsWith('0') &&
    ((tenth % 10) + 10) % 10 === number(id, 9, 10) &&
    weightedSum(id, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10 === number(id, 10, 11)
  );
}

export const indianAadhaar = (id: string): boolean => /^[2-9]/.test(id) && isVerhoeff(id);
/** The fourth letter says that the taxpayer is a person. */
export const indianPan = (id: string): boolean => id[3] === 'P';

const CHINESE_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

export const chineseResident = (id: string): boolean =>
  isDate(id, 12, 10) && '10X98765432'[weightedSum(id, CHINESE_WEIGHTS) % 11] === id[17];

export const southAfricanPerson = (id: string): boolean =>
  isDate(id, 4, 2) && /[0-2]..$/.test(id) && isLuhn(id);

export const koreanResident = (id: string): boolean => isDate(id, 4, 2) && /^\d{6}[1-8]/.test(id);

export function taiwaneseResident(id: string): boolean {
  const region = 10 + REGIONS_OF_TAIWAN.indexOf(id.charAt(0));
  const digits = String(region) + id.slice(1);
  return /^.[1289]/.test(id) && weightedSum(digits, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

export function singaporeanPerson(id: string): boolean {
  const offset = { S: 0, T: 4, F: 0, G: 4, M: 3 }[id.charAt(0)];
  if (offset === undefined) return false;
  const letters = 'ST'.includes(id.charAt(0))
    ? 'JZIHGFEDCBA'
    : id.startsWith('M')
      ? 'XWUTRQPNJLK'
      : 'XWUTRQPNMLK';
  return letters[(offset + weightedSum(id.slice(1), [2, 7, 6, 5, 4, 3, 2])) % 11] === id[8];
}

export function hongKongResident(id: string): boolean {
  const check = id[7] === 'A' ? 10 : Number(id[7]);
  const sum = 36 * 9 + (id.charCodeAt(0) - 55) * 8 + weightedSum(id.slice(1), [7, 6, 5, 4, 3, 2]);
  return (sum + check) % 11 === 0;
}

export function japaneseNumber(id: string): boolean {
  const remainder = weightedSum(id, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (remainder <= 1 ? 0 : 11 - remainder) === number(id, 11, 12);
}

export const australianTax = (id: string): boolean =>
  weightedSum(id, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;

export const britishHealth = (id: string): boolean =>
  (11 - (weightedSum(id, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === number(id, 9, 10);

export const britishInsurance = (id: string): boolean => NINO.test(id);

export function mexicanCurp(id: string): boolean {
  if (!CURP.test(id) || !isDate(id, 8, 6)) return false;
  const sum = Array.from(id.slice(0, 17)).reduce(
    (total, character, index) => total + VALUES_OF_CURP.indexOf(character) * (18 - index),
    0,
  );
  return (10 - (sum % 10)) % 10 === number(id, 17, 18);
}

export function chileanRut(id: string): boolean {
  const digits = id.slice(0, -1).padStart(8, '0');
  const check = 11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return /^\d+$/.test(digits) && (check === 11 ? '0' : check === 10 ? 'K' : String(check)) === id.at(-1);
}

export function argentineCuil(id: string): boolean {
  const check = 11 - (weightedSum(id, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return /^2[0347]/.test(id) && (check === 11 ? 0 : check === 10 ? 9 : check) === number(id, 10, 11);
}

export const icelandicPerson = (id: string): boolean =>
  isDate(id, 0, 2) && remainderOf(String(weightedSum(id, [3, 2, 7, 6, 5, 4, 3, 2, 1])), 11) === 0;
