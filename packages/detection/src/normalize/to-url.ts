/**
 * Reads an address. Not by `URL.canParse`: that of Node 20 refuses letters such as ü once it has been called some thousand times and
 * the compiler has taken the short cut.
 */
export function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
