/** Parses `Retry-After` (RFC 9110, section 10.2.3): seconds or a date. Anything else counts as no delay. */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const atMs = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
