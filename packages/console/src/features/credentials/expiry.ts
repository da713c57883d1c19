const DAY_MS = 86_400_000;

/** How long a new key works. The first one is the default: a key without an end is forgotten. */
export const EXPIRY_CHOICES = [
  { value: '90', label: '90 days' },
  { value: '30', label: '30 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
] as const;

/** Returns the end of a key as the API takes it; undefined for a key without an end. */
export function toExpiresAt(
  { expiry, date }: { readonly expiry: string; readonly date: string },
  nowMs: number,
): string | undefined {
  if (expiry === 'never') return undefined;
  // The chosen day included, in the zone of the reader.
  if (expiry === 'date') return date === '' ? undefined : new Date(`${date}T23:59:59`).toISOString();
  return new Date(nowMs + Number(expiry) * DAY_MS).toISOString();
}
