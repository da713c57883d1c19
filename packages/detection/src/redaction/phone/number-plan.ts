/** The numbering plan of one country, or of a calling code that belongs to none. */
export type NumberPlan = {
  readonly callingCode: string;
  readonly internationalPrefix: RegExp | string | undefined;
  readonly national: RegExp;
  readonly lengths: readonly number[];
  /** A prefix that is dialled within the country; most are one digit. */
  readonly nationalPrefix: RegExp | string | undefined;
  /** Rewrites a number whose prefix contains a carrier code. */
  readonly prefixTransform: string | undefined;
  /** Of a country that shares its calling code with others. */
  readonly leadingDigits: RegExp | undefined;
  /** Ranges in use; absent where `national` alone decides. */
  readonly ranges: readonly NumberRange[] | undefined;
};

type NumberRange = { readonly pattern: RegExp; readonly lengths: readonly number[] };

/**
 * Reads a plan of libphonenumber's metadata, version 4. Places in the array: 0 calling code, 1 international
 * prefix, 2 pattern, 3 lengths, 5 national prefix, 7 the same as a pattern, 8 its transformation, 10 leading
 * digits, 11 ranges.
 */
export function readPlan(stored: readonly unknown[]): NumberPlan {
  const lengths = (stored[3] || []) as readonly number[];
  const ranges = stored[11] as readonly (readonly [string?, (readonly number[])?] | 0)[] | 0 | undefined;
  return {
    callingCode: String(stored[0]),
    internationalPrefix: prefixOf(stored[1]),
    national: whole(String(stored[2])),
    lengths,
    nationalPrefix: prefixOf(stored[7] || stored[5]),
    prefixTransform: stored[8] ? String(stored[8]) : undefined,
    leadingDigits: atStart(stored[10]),
    ranges: ranges ? ranges.flatMap((range) => readRange(range || [], lengths)) : undefined,
  };
}

function readRange(
  [pattern, lengths]: readonly [string?, (readonly number[])?],
  ofPlan: readonly number[],
): readonly NumberRange[] {
  return pattern ? [{ pattern: whole(pattern), lengths: lengths || ofPlan }] : [];
}

function atStart(pattern: unknown): RegExp | undefined {
  return pattern ? new RegExp(`^(?:${pattern})`) : undefined;
}

/** Plain digits stay a string, since comparing them is faster. */
function prefixOf(pattern: unknown): RegExp | string | undefined {
  return /^\d+$/.test(String(pattern)) && pattern ? String(pattern) : atStart(pattern);
}

function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
