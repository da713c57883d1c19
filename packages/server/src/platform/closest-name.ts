/** Longer names are not compared. The names of the contract have fewer characters. */
const MAX_LENGTH = 40;

/**
 * Returns the known name that was probably meant: the same words in another spelling or order, or at most two characters
 * different. Undefined if there is none.
 */
export function findClosest(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const same = known.find((one) => wordsOf(one) === wordsOf(name));
  if (same !== undefined) return same;
  const allowed = Math.min(2, Math.floor(name.length / 2));
  const near = known
    .filter(({ length }) => Math.abs(length - name.length) <= allowed)
    .map((one) => ({ one, distance: editDistance(name.toLowerCase(), one) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= allowed ? near.one : undefined;
}

function wordsOf(name: string): string {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join(' ');
}

/** Levenshtein distance, one row at a time. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let line = 1; line <= a.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (a[line - 1] === b[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
