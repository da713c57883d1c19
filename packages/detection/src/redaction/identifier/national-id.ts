import { isLuhn, isLuhnWithLetters, isMod1110 } from './checksums.ts';
import { allBreaks, breaksOf, breaksWithin, type Compact } from './compact.ts';
import { NATIONAL, SOCIAL } from './cue-words.ts';
import * as check from './national-checks.ts';

/**
 * The kinds of national numbers. Form: `9` is a digit, `A` a letter, `*` either. Groups: how a number is written where no
 * word for one is near; without any, only such a word makes it one, since too many other numbers have its form.
 */
const KINDS: readonly (readonly [form: string, groups: string, isValid: (id: string) => boolean])[] = [
  // Nine digits: United States, the Netherlands, Portugal, Canada, Australia, Israel.
  ['999999999', '3 2 4', check.usSocialSecurity],
  ['999999999', '', check.dutchService],
  ['999999999', '', check.portugueseTax],
  ['999999999', '', isLuhn],
  ['999999999', '', check.australianTax],
  // Ten: Sweden, the Czech Republic and Slovakia, Austria, Denmark, Iceland, Bulgaria, Poland (tax), Britain (health).
  ['9999999999', '6 4', check.swedishPerson],
  ['9999999999', '6 4', check.czechBirthNumber],
  ['9999999999', '4 6', check.austrianInsurance],
  ['9999999999', '', check.danishPerson],
  ['9999999999', '6 4', check.icelandicPerson],
  ['9999999999', '', check.bulgarianPerson],
  ['9999999999', '', check.polishNip],
  ['9999999999', '', check.britishHealth],
  // Eleven: Germany (tax), Poland, Belgium, Brazil, Norway, Turkey, Argentina, Croatia, Greece.
  ['99999999999', '11;2 3 3 3', check.germanTax],
  ['99999999999', '11;6 5', check.polishPesel],
  ['99999999999', '11;6 3 2;2 2 2 3 2', check.belgianRegister],
  ['99999999999', '11;3 3 3 2;9 2', check.brazilianCpf],
  ['99999999999', '11;6 5', check.norwegianPerson],
  ['99999999999', '11', check.turkishPerson],
  ['99999999999', '2 8 1', check.argentineCuil],
  ['99999999999', '', isMod1110],
  ['99999999999', '', check.greekAmka],
  // Twelve: Sweden, India, Japan.
  ['999999999999', '12;8 4', check.swedishPerson],
  ['999999999999', '', check.indianAadhaar],
  ['999999999999', '', check.japaneseNumber],
  // More: Switzerland, Romania, South Africa, Korea; France; China.
  ['9999999999999', '13;3 4 4 2', check.swissInsurance],
  ['9999999999999', '13;1 2 2 2 6', check.romanianPerson],
  ['9999999999999', '13;6 4 3;6 4 2 1;6 4 1 1 1', check.southAfricanPerson],
  ['9999999999999', '6 7', check.koreanResident],
  ['999999*99999999', '15;13 2;1 2 2 2 3 3 2;1 2 2 2 6 2', check.frenchSecurity],
  ['99999999999999999*', '18;6 8 4', check.chineseResident],
  // With letters: Spain, Italy, Portugal, Britain, Germany (pension), Finland, India, Mexico, Chile, Taiwan, Singapore,
  // Hong Kong.
  ['99999999A', '9;8 1;2 3 3 1', check.spanishDni],
  ['A9999999A', '9;1 7 1;1 8;8 1', check.spanishNie],
  ['AAAAAA**A**A***A', '16;3 3 5 5;6 5 5;6 10;3 3 2 1 2 4 1', check.italianFiscal],
  ['999999999AA9', '12;8 1 3;9 3', isLuhnWithLetters],
  ['AA999999A', '9;2 2 2 2 1;2 6 1;8 1', check.britishInsurance],
  ['99999999A999', '12;2 6 1 3;2 6 1 2 1;8 1 3;2 2 2 2 1 3', check.germanPension],
  ['999999999*', '6 4', check.finnishPerson],
  ['999999A999*', '11', check.finnishPerson],
  ['AAAAA9999A', '10', check.indianPan],
  ['AAAA999999AAAAAA*9', '18', check.mexicanCurp],
  ['99999999*', '2 3 3 1', check.chileanRut],
  ['9999999*', '1 3 3 1', check.chileanRut],
  ['A999999999', '10', check.taiwaneseResident],
  ['A9999999A', '9', check.singaporeanPerson],
  ['A999999*', '8;7 1', check.hongKongResident],
];

type Kind = {
  readonly isValid: (id: string) => boolean;
  /** The words that make a number of any groups one. */
  readonly cue: number;
  /** The places that must be a digit or must be a letter, and those that must be a digit. */
  readonly places: number;
  readonly digits: number;
  readonly breaks: ReadonlySet<number>;
};

/** Nearly any number of their length is valid. */
const UNCHECKED = new Set([check.usSocialSecurity, check.danishPerson, check.koreanResident]);

const BY_LENGTH = compile();
const LENGTHS = [...BY_LENGTH.keys()].sort((a, b) => b - a);

function compile(): ReadonlyMap<number, readonly Kind[]> {
  const byLength = new Map<number, Kind[]>();
  for (const [form, groups, isValid] of KINDS) {
    const written = groups === '' ? [] : groups.split(';').map(breaksOf);
    const singly =
      form.includes('A') || groups === '' || UNCHECKED.has(isValid) ? [] : [allBreaks(form.length)];
    const kind = {
      isValid,
      cue: UNCHECKED.has(isValid) ? SOCIAL : NATIONAL,
      places: maskOf(form, '9A'),
      digits: maskOf(form, '9'),
      breaks: new Set([...written, ...singly]),
    };
    byLength.set(form.length, [...(byLength.get(form.length) ?? []), kind]);
  }
  return byLength;
}

function maskOf(form: string, places: string): number {
  return Array.from(form).reduce(
    (mask, place, index) => (places.includes(place) ? mask | (1 << index) : mask),
    0,
  );
}

/** Returns the length of the national number that begins an identifier; in any groups after a word for such numbers. */
export function nationalIdLength(compact: Compact, cues: number): number | undefined {
  const { characters, digits, breaks, ends, hasComma } = compact;
  // An amount, `123.456.789,09`, has the form of a Brazilian number.
  if (hasComma && (cues & NATIONAL) === 0) return undefined;
  for (const length of LENGTHS) {
    if (!ends[length]) continue;
    const isOfKind = (kind: Kind): boolean =>
      (digits & kind.places) === kind.digits &&
      ((cues & kind.cue) !== 0 || kind.breaks.has(breaksWithin(breaks, length))) &&
      kind.isValid(characters.slice(0, length));
    if (BY_LENGTH.get(length)?.some(isOfKind)) return length;
  }
  return undefined;
}
