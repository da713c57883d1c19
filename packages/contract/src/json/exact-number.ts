/**
 * Returns whether all programs read a JSON number in the same way: it is finite and within ±(2^53 − 1). Beyond these bounds, a
 * double cannot represent every integer, so two different integers can become one value (RFC 7493, section 2.2). Within them,
 * a double rounds only digits after the point, and RFC 8785, section 3.2.2.3, prescribes how.
 */
export function isExactNumber(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
