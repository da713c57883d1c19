import { isAsciiAlphanumeric, isAsciiLetter, isDigit } from '../../normalize/characters.ts';
import { isMod97 } from './checksums.ts';
import { isWordEnd, separatorLength } from './compact.ts';

/** The length in each country (SWIFT IBAN registry, release 99, and countries that use the form without being listed). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  `AD24 AE23 AL28 AO25 AT20 AZ28 BA20 BE16 BF28 BG22 BH22 BI27 BJ28 BR29 BY28 CF27 CG27 CH21 CI28 CM27 CR22 CV25 CY28 CZ24
  DE22 DJ27 DK18 DO28 DZ26 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GA27 GB22 GE22 GI23 GL18 GQ27 GR27 GT28 GW25 HN28 HR21 HU28
  IE22 IL23 IQ23 IR26 IS26 IT27 JO30 KM27 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MA28 MC27 MD24 ME22 MG27 MK19 ML28
  MN20 MR27 MT31 MU30 MZ25 NE28 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24
  SM27 SN28 SO23 ST25 SV28 TD27 TG28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30`
    .split(/\s+/)
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const PRINTED_GROUP = 4;
const BANK_START = 4;

/**
 * Returns the end of the IBAN (ISO 13616) that begins at `start`, however it is separated; undefined if the country, the
 * length or the check digits are wrong. After a word for one and in the
 * printed groups of four, check digits may be wrong, as in a number that was mistyped.
 */
export function ibanEnd(text: string, start: number, to: number, isNamed: boolean): number | undefined {
  if (!isAsciiLetter(text.charCodeAt(start)) || !isAsciiLetter(text.charCodeAt(start + 1))) return undefined;
  if (isAsciiLetter(text.charCodeAt(start + 2))) return undefined;
  const length = LENGTHS.get(text.slice(start, start + 2).toUpperCase());
  const read = length === undefined ? undefined : readIban(text, start, to, length);
  if (read === undefined || !isWordEnd(text, read.end, to)) return undefined;
  const { characters, isPrinted, end } = read;
  return isNamed || isPrinted || isMod97(characters.slice(4) + characters.slice(0, 4)) ? end : undefined;
}

type IbanText = { readonly characters: string; readonly isPrinted: boolean; readonly end: number };

function readIban(text: string, start: number, to: number, length: number): IbanText | undefined {
  let characters = '';
  let isPrinted = true;
  let gaps = 0;
  let at = start;
  while (at < to && characters.length < length) {
    const code = text.charCodeAt(at);
    if (isAsciiAlphanumeric(code)) {
      if ((characters.length === 2 || characters.length === 3) && !isDigit(code)) return undefined;
      characters += text.charAt(at);
      at += 1;
      continue;
    }
    const next = at + separatorLength(text, at, to);
    // Only the bank is a group of letters: `GB29 NWBK 6016 …`. Others are words after a number.
    if (next === at || (characters.length > BANK_START && isLettersOnly(text, next))) return undefined;
    isPrinted &&= characters.length % PRINTED_GROUP === 0 && next === at + 1;
    gaps += 1;
    at = next;
  }
  if (characters.length < length) return undefined;
  isPrinted &&= gaps === Math.ceil(length / PRINTED_GROUP) - 1;
  return { characters: characters.toUpperCase(), isPrinted, end: at };
}

function isLettersOnly(text: string, start: number): boolean {
  let end = start;
  while (isAsciiLetter(text.charCodeAt(end))) end += 1;
  return end > start && !isDigit(text.charCodeAt(end));
}
