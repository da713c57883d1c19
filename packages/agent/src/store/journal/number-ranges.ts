/** First and last of consecutive integers, both included. */
export type Range = readonly [first: number, last: number];

/** Groups numbers in ascending order into ranges. */
export function toRanges(numbers: Iterable<number>): Range[] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && number === last[1] + 1) {
      last[1] = number;
    } else {
      ranges.push([number, number]);
    }
  }
  return ranges;
}

/** Merges ranges, in any order and possibly overlapping, into the fewest in ascending order. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of [...ranges].sort((one, other) => one[0] - other[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) {
      previous[1] = Math.max(previous[1], last);
    } else {
      merged.push([first, last]);
    }
  }
  return merged;
}

/** Returns what of the range is in none of the merged ranges. */
export function without([first, last]: Range, merged: readonly Range[]): Range[] {
  const rest: Range[] = [];
  let from = first;
  for (const [goneFirst, goneLast] of merged) {
    if (goneLast < from || goneFirst > last) continue;
    if (goneFirst > from) rest.push([from, goneFirst - 1]);
    from = goneLast + 1;
  }
  if (from <= last) rest.push([from, last]);
  return rest;
}

/** Whether every number from first to last is in one of the merged ranges. */
export function covers(merged: readonly Range[], first: number, last: number): boolean {
  return merged.some(([from, to]) => from <= first && last <= to);
}
