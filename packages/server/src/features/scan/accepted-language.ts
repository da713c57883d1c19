import { DEFAULT_LANGUAGE, LANGUAGES, type Language, toLanguage } from '@tps/detection';
import Negotiator from 'negotiator';

/** A header of a browser has a few dozen characters. A longer one is not read, since its order would be sorted. */
const MAX_LENGTH = 500;

/** Returns the best language by the quality values of `Accept-Language` (RFC 9110, section 12.5.4). */
export function acceptedLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > MAX_LENGTH) return DEFAULT_LANGUAGE;
  const [best] = new Negotiator({ headers: { 'accept-language': header } }).languages([...LANGUAGES]);
  return (best === undefined ? undefined : toLanguage(best)) ?? DEFAULT_LANGUAGE;
}
