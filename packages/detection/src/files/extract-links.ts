/** Links that are taken out of one thing: more than are judged, so that it is seen that there are more. */
export const MAX_LINKS = 400;

/** The addresses that stand in a text, as they are written. */
export function extractLinks(text: string): string[] {
  const links = new Set<string>();
  for (const [link] of text.matchAll(/https?:\/\/[^\s\p{Cc}"'<>()\\^`{|}]{4,2048}/giu)) {
    links.add(link);
    if (links.size === MAX_LINKS) break;
  }
  return [...links];
}
