/**
 * Reads `name=value,…` with percent-encoded values, the form of `OTEL_EXPORTER_OTLP_HEADERS`: W3C Baggage without
 * properties. Returns undefined if it is malformed, or has what no header may contain.
 */
export function parseHeaderList(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const entry of text.split(',')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([^\s;]*)\s*$/.exec(entry) ?? [];
    const decoded = value === undefined ? undefined : decode(value);
    if (name === undefined || decoded === undefined) return undefined;
    headers[name.toLowerCase()] = decoded;
  }
  return headers;
}

function decode(value: string): string | undefined {
  try {
    const decoded = decodeURIComponent(value);
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : undefined;
  } catch {
    return undefined;
  }
}
