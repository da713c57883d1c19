/** Entries that are added to a public list, and entries of it that are left out. */
export interface ReviewedList {
  readonly added: ReadonlySet<string>;
  readonly excluded: ReadonlySet<string>;
}

/**
 * Parses a reviewed list: `+ ENTRY` adds an entry, `- ENTRY` leaves one out, `#` begins a comment.
 * @throws Error for any other line, and for an entry that is listed twice
 */
export function parseReviewedList(text: string): ReviewedList {
  const added = new Set<string>();
  const excluded = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, sign, entry] = /^([+-]) (\S+)$/.exec(line) ?? [];
    if (entry === undefined) throw new Error(`Expected "+ ENTRY" or "- ENTRY", found: ${line}`);
    if (added.has(entry) || excluded.has(entry)) throw new Error(`Listed twice: ${entry}`);
    (sign === '+' ? added : excluded).add(entry);
  }
  return { added, excluded };
}

/**
 * Applies a reviewed list to the entries of a public list, and returns the result, sorted.
 * @throws Error for an addition that the public list contains, and for an exclusion that it does not contain
 */
export function applyReview(entries: Iterable<string>, { added, excluded }: ReviewedList): string[] {
  const listed = new Set(entries);
  const unused = [
    ...[...added].filter((entry) => listed.has(entry)),
    ...[...excluded].filter((entry) => !listed.has(entry)),
  ];
  if (unused.length > 0)
    throw new Error(`Remove entries without effect on the public list: ${unused.join(', ')}`);
  return [...new Set([...listed, ...added])].filter((entry) => !excluded.has(entry)).sort();
}
