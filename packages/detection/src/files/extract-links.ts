/** The links extracted from one part: more than are analyzed, so that a surplus is noticed. */
export const MAX_LINKS = 400;

/** Returns the URLs in a text, as written. */
export function extractLinks(text: string): string[] {
  const links = new Set<string>();
  for (const [link] of text.matchAll(/https?:\/\/[^\s\p{Cc}"'<>()\\^`{|}]{4,2048}/giu)) {
    links.add(link);
    if (links.size === MAX_LINKS) break;
  }
  return [...links];
}
