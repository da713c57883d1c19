/** The languages in which a result is put into words: those that the text model has learned. BCP 47. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en';

/**
 * Returns the language of a tag such as `de`, `pt-BR` or `fr_CA.UTF-8` (BCP 47, or a locale of POSIX); undefined for a
 * language in which nothing can be put into words.
 */
export function toLanguage(tag: string): Language | undefined {
  const [primary = ''] = tag
    .trim()
    .toLowerCase()
    .split(/[-_.@]/, 1);
  return LANGUAGES.find((language) => language === primary);
}
