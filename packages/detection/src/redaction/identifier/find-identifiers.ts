import { toNameKey } from '../../lexicon/name-key.ts';
import {
  isAlphanumeric,
  isAsciiAlphanumeric,
  isAsciiLetter,
  isDigit,
  isHexadecimal,
  isIdeographic,
  isSpace,
} from '../../normalize/characters.ts';
import { startOfHostAround } from '../../normalize/scan-url.ts';
import {
  ADDRESS_PLACEHOLDER,
  BIRTH_DATE_PLACEHOLDER,
  CARD_PLACEHOLDER,
  DOCUMENT_PLACEHOLDER,
  IBAN_PLACEHOLDER,
  IMEI_PLACEHOLDER,
  MAC_PLACEHOLDER,
  NATIONAL_ID_PLACEHOLDER,
  PLATE_PLACEHOLDER,
  WALLET_PLACEHOLDER,
} from '../placeholder.ts';
import type { Span } from '../span.ts';
import { birthDateAround } from './birth-date.ts';
import { cardLength } from './card.ts';
import { isIgnored, readCompact } from './compact.ts';
import { type Context, contextBefore, NO_CONTEXT } from './context.ts';
import { ACCOUNT, BIRTH, CARD, cueOf, DEVICE, DOCUMENT, MAC, PLATE, WALLET } from './cue-words.ts';
import { imeiLength, macAround } from './device-number.ts';
import { documentAround, type NumberRange, plateAround } from './document-number.ts';
import { ibanEnd } from './iban.ts';
import { nationalIdLength } from './national-id.ts';
import { streetAround } from './street.ts';
import { endOfWord, isWallet, MIN_WALLET_LENGTH } from './wallet.ts';

const PLUS = 0x2b;
const UNDERSCORE = 0x5f;
const MAC_LENGTH = 12;
/** A longer word is a hash or encoded data. */
const MAX_WORD_LENGTH = 40;
/** Letters before the first digits of a number: `DE 89`, `RSS MRA 85T10`, `QQ 12 34 56 C`, `X-1234567-L`. */
const MAX_LETTER_GROUPS = 2;
const MAX_LETTERS = 3;
const MIN_CUE_LENGTH = 3;
const MAX_PAIR_GAP = 4;
/** The shortest national numbers have eight characters. */
const MIN_NUMBER_LENGTH = 8;
/** A shorter group does not begin a number within something longer. */
const MIN_GROUP_LENGTH = 4;

/** A word of letters and digits, at least one digit among them. */
type Candidate = {
  readonly start: number;
  readonly end: number;
  /** Where the text that belongs to no earlier number begins. */
  readonly from: number;
  readonly to: number;
  readonly context: Context;
  /** Its first digit. */
  readonly firstDigit: number;
  /** It is a part of something longer: a sign without spaces joins it to an earlier number, it is one digit
   * of several, or a plus sign is before it. */
  readonly isJoined: boolean;
};

type Found = NumberRange & { readonly mark: string };

/**
 * Finds numbers of people and of their things, dates of birth and street addresses. All have a digit, so the text is read
 * from one word with a digit to the next; by check digits, by form, or by a word before them. Linear: a word is read once
 * as context and at most `readCompact` far ahead.
 */
export function findIdentifiers(text: string, from: number, to: number, spans: Span[]): void {
  let settled = from;
  let context = NO_CONTEXT;
  let lastEnd = from;
  let isAfterPlus = false;
  for (let index = from; index < to; index += 1) {
    if (!isDigit(text.charCodeAt(index))) continue;
    const start = startOfWord(text, index, settled);
    const end = endOfWord(text, index, to);
    if (start > lastEnd || lastEnd === from) context = nextContext(text, lastEnd, start, context);
    isAfterPlus = isPartOfPhone(text, isAfterPlus ? lastEnd : undefined, start);
    const isJoined = isAfterPlus || (start > settled && continuesNumber(text, lastEnd, start, end));
    const read = find(text, { start, end, from: settled, to, context, firstDigit: index, isJoined });
    const found = read === undefined || isPartOfHost(text, read) ? undefined : read;
    if (found !== undefined) {
      const { mark } = found;
      spans.push({ start: found.start, end: found.end, write: () => mark });
      settled = found.end;
      // Numbers without words between them have one context; a person is born once.
      if (mark === BIRTH_DATE_PLACEHOLDER) context = NO_CONTEXT;
    }
    lastEnd = Math.max(end, found?.end ?? end);
    index = lastEnd - 1;
  }
}

/** A host stays, even if one of its labels looks like a number. A number with spaces is not a host: `1815 9083.so it …`. */
function isPartOfHost(text: string, { start, end, mark }: Found): boolean {
  const host = startOfHostAround(text, end);
  return host !== undefined && (host <= start || mark === ADDRESS_PLACEHOLDER);
}

/** After one sign; after a space if it is one digit of several, or the second pair of digits. */
function continuesNumber(text: string, lastEnd: number, start: number, end: number): boolean {
  const gap = start - lastEnd;
  const isPair =
    end - start <= 2 &&
    isDigit(text.charCodeAt(lastEnd - 1)) &&
    !isAlphanumeric(text.charCodeAt(lastEnd - 3));
  if (isPair && gap <= MAX_PAIR_GAP) return true;
  return gap === 1 && (end - start === 1 || !isSpace(text.charCodeAt(lastEnd)));
}

/** A plus sign begins a phone number, and its groups are near to each other. */
function isPartOfPhone(text: string, groupEnd: number | undefined, start: number): boolean {
  if (text.charCodeAt(start - 1) === PLUS) return true;
  return groupEnd !== undefined && start - groupEnd <= 3 && !isAlphanumeric(text.charCodeAt(start - 1));
}

function startOfWord(text: string, index: number, from: number): number {
  let start = index;
  while (start > from && isAsciiAlphanumeric(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

/** Without letters between two numbers, the words before the first are the context of both. */
function nextContext(text: string, from: number, start: number, context: Context): Context {
  for (let index = from; index < start; index += 1) {
    const code = text.charCodeAt(index);
    if (isAlphanumeric(code) && !isIgnored(code)) return contextBefore(text, from, start);
  }
  return context;
}

function find(text: string, word: Candidate): Found | undefined {
  const { start, end, from, to, context } = word;
  if (end - start >= MIN_WALLET_LENGTH && isWallet(text.slice(start, end), (context.cues & WALLET) !== 0)) {
    return { start, end, mark: WALLET_PLACEHOLDER };
  }
  const mac = macOf(text, word);
  if (mac !== undefined) return mac;
  if (end - start > MAX_WORD_LENGTH) return undefined;
  const isPart = word.isJoined && end - start < MIN_GROUP_LENGTH && context.cues === 0;
  if (isPart) return undefined;
  if (!isPartOfName(text, start, from)) {
    const number = numberAround(text, word) ?? introducedBy(text, word);
    if (number !== undefined) return number;
  } else if (text.charCodeAt(start - 1) !== UNDERSCORE) return undefined;
  return marked(streetAround(text, start, end, { from, to }), ADDRESS_PLACEHOLDER);
}

function marked(range: NumberRange | undefined, mark: string): Found | undefined {
  return range && { ...range, mark };
}

function macOf(text: string, { start, end, from, to, context }: Candidate): Found | undefined {
  if (context.cues & MAC && end - start === MAC_LENGTH && isAllHexadecimal(text, start, end)) {
    return { start, end, mark: MAC_PLACEHOLDER };
  }
  const width = end - start;
  if (
    (width !== 2 && width !== 4) ||
    !':-.'.includes(text.charAt(end)) ||
    isLaterGroup(text, start, width, from)
  ) {
    return undefined;
  }
  return marked(macAround(text, start, from, to), MAC_PLACEHOLDER);
}

/** An address was looked for at the group with a digit before this one. */
function isLaterGroup(text: string, start: number, width: number, from: number): boolean {
  const group = start - width - 1;
  if (group < from || isAlphanumeric(text.charCodeAt(start - 1))) return false;
  if (!isAllHexadecimal(text, group, start - 1)) return false;
  return hasDigit(text, group, start - 1) && (group === from || !isAlphanumeric(text.charCodeAt(group - 1)));
}

function hasDigit(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (isDigit(text.charCodeAt(index))) return true;
  return false;
}

function isAllHexadecimal(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (!isHexadecimal(text.charCodeAt(index))) return false;
  return true;
}

/** Account, card, device and national numbers, from the word on or from the letters before it. */
function numberAround(text: string, word: Candidate): Found | undefined {
  const named = numberAfterLetters(text, word);
  if (named !== undefined) return named;
  let start: number | undefined = word.start;
  for (let groups = 0; groups <= MAX_LETTER_GROUPS && start !== undefined; groups += 1) {
    const found = numberAt(text, start, word);
    if (found !== undefined) return found;
    // No number has a single digit after such letters, and reading all of it again takes most of the time.
    start = word.end - word.start > 1 ? lettersBefore(text, start, word.from) : undefined;
  }
  return undefined;
}

/** `IBANDE89…`, `IMEI35…`, `SSN123-45-6789`: a word that introduces a number can be joined to it. */
function numberAfterLetters(text: string, word: Candidate): Found | undefined {
  const { start, firstDigit, context } = word;
  if (firstDigit - start < MIN_CUE_LENGTH) return undefined;
  const account = numberAt(text, firstDigit - 2, word);
  if (account !== undefined) return account;
  const cue = cueOf(toNameKey(text.slice(start, Math.min(firstDigit, start + MAX_WORD_LENGTH))), '');
  if (cue === 0) return undefined;
  const cues = cue | context.cues;
  return numberAt(text, firstDigit, {
    ...word,
    start: firstDigit,
    from: firstDigit,
    context: { cues, end: firstDigit },
  });
}

/** Returns the start of up to three letters before a position, after one separator. */
function lettersBefore(text: string, position: number, from: number): number | undefined {
  const end = position - 1;
  if (end <= from || isAlphanumeric(text.charCodeAt(end))) return undefined;
  let start = end;
  while (start > from && isAsciiLetter(text.charCodeAt(start - 1))) start -= 1;
  const isGroup = start < end && end - start <= MAX_LETTERS;
  return isGroup && (start === from || !isAlphanumeric(text.charCodeAt(start - 1))) ? start : undefined;
}

function numberAt(text: string, start: number, word: Candidate): Found | undefined {
  const { from, to, isJoined } = word;
  const { cues } = word.context;
  const iban = ibanEnd(text, start, to, (cues & ACCOUNT) !== 0);
  if (iban !== undefined) return { start, end: iban, mark: IBAN_PLACEHOLDER };
  // A short word with letters within something longer: a part of a hash, an address, a serial number.
  const isPart = isJoined && start < word.firstDigit && word.end - start < MIN_NUMBER_LENGTH;
  if (isPart || isPartOfName(text, start, from)) return undefined;
  const compact = readCompact(text, start, word.start, to);
  if (compact.ends.length <= MIN_NUMBER_LENGTH) return undefined;
  const found = (length: number | undefined, mark: string): Found | undefined => {
    const end = compact.ends[length ?? 0];
    return end ? { start, end, mark } : undefined;
  };
  const device = cues & DEVICE ? imeiLength(compact, true) : undefined;
  if (device !== undefined) return found(device, IMEI_PLACEHOLDER);
  const card = cardLength(compact, (cues & CARD) !== 0);
  if (card !== undefined) return found(card, CARD_PLACEHOLDER);
  const imei = isJoined ? undefined : imeiLength(compact, false);
  if (imei !== undefined) return found(imei, IMEI_PLACEHOLDER);
  return isJoined ? undefined : found(nationalIdLength(compact, cues), NATIONAL_ID_PLACEHOLDER);
}

/** What only the words before it introduce. */
function introducedBy(text: string, { start, from, to, context }: Candidate): Found | undefined {
  const { cues } = context;
  const end = Math.max(from, context.end);
  if (cues & BIRTH) {
    const date = birthDateAround(text, start, end, to);
    if (date !== undefined) return { ...date, mark: BIRTH_DATE_PLACEHOLDER };
  }
  if (cues & PLATE) {
    const plate = plateAround(text, start, end, to);
    if (plate !== undefined) return { ...plate, mark: PLATE_PLACEHOLDER };
  }
  return cues & DOCUMENT ? marked(documentAround(text, start, end, to), DOCUMENT_PLACEHOLDER) : undefined;
}

/** A plus sign begins a phone number; an underscore or a Latin letter joins the number to a name, as in `evt_0151`. */
function isPartOfName(text: string, start: number, from: number): boolean {
  if (start === from) return false;
  const before = text.charCodeAt(start - 1);
  if (before === PLUS || before === UNDERSCORE) return true;
  return isAlphanumeric(before) && !isIdeographic(before) && before < 0x300;
}
