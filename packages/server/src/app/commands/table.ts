/** Formats rows under their headings, in columns as wide as their widest cell. */
export function toTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const toLine = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(toLine).join('\n');
}

/**
 * Formats row counts by table on one line. Counts above `counted` are shown as "more than", because counting
 * stopped there.
 */
export function toCountLine(counts: Readonly<Record<string, number>>, counted?: number): string {
  const parts = Object.entries(counts).map(([table, count]) => `${table} ${toCount(count, counted)}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

export function toCount(count: number, counted = Number.POSITIVE_INFINITY): string {
  return count > counted ? `more than ${counted}` : String(count);
}
