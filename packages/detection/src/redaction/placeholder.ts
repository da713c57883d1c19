import { isDigit } from '../normalize/characters.ts';
import { asWritten, type Span } from './span.ts';

export const EMAIL_PLACEHOLDER = '[email]';
export const NAME_PLACEHOLDER = '[name]';
export const PHONE_PLACEHOLDER = '[phone]';
/** Replaces a text that cannot be redacted within the bounds; nothing of the text is kept. */
export const WHOLE_PLACEHOLDER = '[redacted]';
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
