import { expect, test } from 'vitest';
import { acceptedLanguage } from './accepted-language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['de', 'de'],
  ['de-AT, en;q=0.5', 'de'],
  ['en;q=0.5, fr-CA;q=0.9', 'fr'],
  ['sv, nl;q=0.8, en;q=0.3', 'nl'],
  ['pt-BR', 'pt'],
  ['de;q=0, it', 'it'],
  ['ja, ko', 'en'],
  ['ES', 'es'],
  ['de;q=oops, , ;;', 'en'],
  [`de, ${'xx, '.repeat(200)}`, 'en'],
])('Accept-Language %j chooses %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});
