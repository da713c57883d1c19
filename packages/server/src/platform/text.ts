/** Returns whether a text has U+0000, which PostgreSQL can neither store nor compare. Only a decoder can produce it. */
export function hasNul(text: string): boolean {
  return text.includes('\0');
}
