/** Something read from a file, of which nothing is known yet. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Takes anything as an object: one without members when it is none. */
export function objectOf(value: unknown): PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PlainObject) : {};
}

/** Takes anything as a list: an empty one when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Of anything, the texts in it: itself, or what it lists. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads RFC 3339. Undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const timeMs = Date.parse(value);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
