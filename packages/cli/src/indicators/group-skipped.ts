import type { SkippedEntry } from '@tps/detection/indicators';

/** Skipped entries of a file with the same reason. */
export interface SkippedGroup {
  readonly why: string;
  readonly count: number;
  /** The first locations. */
  readonly where: readonly string[];
}

const MAX_LOCATIONS = 5;

/** Groups skipped entries by reason, the most frequent first. */
export function groupSkipped(skipped: readonly SkippedEntry[]): SkippedGroup[] {
  const groups = new Map<string, { why: string; count: number; where: string[] }>();
  for (const { why, where } of skipped) {
    const group = groups.get(why) ?? { why, count: 0, where: [] };
    group.count += 1;
    if (group.where.length < MAX_LOCATIONS) group.where.push(where);
    groups.set(why, group);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
