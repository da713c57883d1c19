import { isDigit } from '../normalize/characters.ts';
import { asWritten, type Span } from './span.ts';

export const EMAIL_PLACEHOLDER = '[email]';
export const NAME_PLACEHOLDER = '[name]';
export const PHONE_PLACEHOLDER = '[phone]';
export const IBAN_PLACEHOLDER = '[iban]';
export const CARD_PLACEHOLDER = '[card]';
export const NATIONAL_ID_PLACEHOLDER = '[national-id]';
export const DOCUMENT_PLACEHOLDER = '[document]';
export const PLATE_PLACEHOLDER = '[plate]';
export const BIRTH_DATE_PLACEHOLDER = '[birth-date]';
export const ADDRESS_PLACEHOLDER = '[address]';
export const IMEI_PLACEHOLDER = '[imei]';
export const MAC_PLACEHOLDER = '[mac]';
export const WALLET_PLACEHOLDER = '[wallet]';
export const USER_PLACEHOLDER = '[user]';
/** Replaces a text that cannot be redacted within the bounds; nothing of the text is kept. */
export const WHOLE_PLACEHOLDER = '[redacted]';
/** What replaces personal data without a trace of it. */
export const PLACEHOLDERS: ReadonlySet<string> = new Set([
  EMAIL_PLACEHOLDER,
  NAME_PLACEHOLDER,
  PHONE_PLACEHOLDER,
  IBAN_PLACEHOLDER,
  CARD_PLACEHOLDER,
  NATIONAL_ID_PLACEHOLDER,
  DOCUMENT_PLACEHOLDER,
  PLATE_PLACEHOLDER,
  BIRTH_DATE_PLACEHOLDER,
  ADDRESS_PLACEHOLDER,
  IMEI_PLACEHOLDER,
  MAC_PLACEHOLDER,
  WALLET_PLACEHOLDER,
  USER_PLACEHOLDER,
  WHOLE_PLACEHOLDER,
]);
export const URL_PLACEHOLDER_PREFIX = 'url:sha256:';

const DIGEST_LENGTH = 64;
const LOWER_U = 0x75;

/**
 * Finds hashed URLs, so that no rule reads into or across a digest. The bracketed placeholders need no such
 * treatment: their brackets end any match, and within a URL they are part of what is hashed.
 */
export function findHashedUrls(text: string, from: number, to: number, spans: Span[]): void {
  for (let index = from; index < to; index += 1) {
    const length = hashedUrlLengthAt(text, index);
    if (length === 0) continue;
    spans.push({ start: index, end: index + length, write: asWritten });
    index += length - 1;
  }
}

function hashedUrlLengthAt(text: string, index: number): number {
  if (text.charCodeAt(index) !== LOWER_U || !text.startsWith(URL_PLACEHOLDER_PREFIX, index)) return 0;
  const digestStart = index + URL_PLACEHOLDER_PREFIX.length;
  for (let at = digestStart; at < digestStart + DIGEST_LENGTH; at += 1) {
    const digit = text.charCodeAt(at);
    if (!isDigit(digit) && !(digit >= 0x61 && digit <= 0x66)) return 0;
  }
  return URL_PLACEHOLDER_PREFIX.length + DIGEST_LENGTH;
}
