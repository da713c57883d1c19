/**
 * Returns whether every program reads a JSON number of this value alike: it is finite and within ±(2^53 − 1). Beyond, a
 * double has no room for every integer, so two integers with other digits would be one value (RFC 7493, section 2.2). Between
 * these bounds a double rounds digits after the point only, and RFC 8785, section 3.2.2.3, prescribes how.
 */
export function isExactNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
