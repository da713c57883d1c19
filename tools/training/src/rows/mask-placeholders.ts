/**
 * Placeholders for what publishers of data removed. Each occurs in one source only, so a model would recognize the
 * source by it, and no real message contains it.
 */
const PLACEHOLDERS: readonly (readonly [RegExp, string])[] = [
  [/\b\w*phishing@pot\b/gi, 'name@mail.com'],
  [/<EMAIL>/g, 'name@mail.com'],
  [/<#>/g, '12'],
  [/<DECIMAL>/g, '1.50'],
  [/<TIME>/g, '10:30'],
  [/<DATE>/g, '1/2'],
];

/** Replaces placeholders of the data by something of the kind that they stand for. */
export function maskPlaceholders(text: string): string {
  return PLACEHOLDERS.reduce((masked, [placeholder, by]) => masked.replace(placeholder, by), text);
}
