/** A value from a file whose structure is not yet known. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns a value as an object: an empty one for anything else. */
export function toObject(value: unknown): PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PlainObject) : {};
}

/** Returns a value as a list: an empty one for anything else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the texts in a value: itself, or the texts it lists. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
}

export function toOptionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
