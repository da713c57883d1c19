/**
 * Parses a URL. Not by `URL.canParse`: in Node 20 it refused letters such as ü after some thousand calls,
 * once it was compiled.
 */
export function toUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
