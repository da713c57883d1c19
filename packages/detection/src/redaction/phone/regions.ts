import type { CountryCode } from 'libphonenumber-js/min';

/** Regions whose national numbers begin with 0 or a bracketed area code; the most permissive plan first. */
export const TRUNK_REGIONS: readonly CountryCode[] = [
  'DE',
  'GB',
  'FR',
  'IT',
  'JP',
  'AU',
  'IN',
  'BR',
  'TR',
  'CN',
];

/**
 * Regions for a number that a word such as `Tel.` introduces, so that its shape is not needed as evidence.
 */
export const INTRODUCED_REGIONS: readonly CountryCode[] = [
  'US',
  'DE',
  'ES',
  'PL',
  'DK',
  'CN',
  'IN',
  'BR',
  'FR',
  'PT',
  'MX',
];
