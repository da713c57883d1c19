import type { SkippedEntry } from '@tps/detection/indicators';

/** Why some of a file was not taken, and where. */
export interface SkippedGroup {
  readonly why: string;
  readonly count: number;
  /** The first places. */
  readonly where: readonly string[];
}

const PLACES = 5;

/** Puts together what was skipped for the same reason, the most frequent first. */
export function groupSkipped(skipped: readonly SkippedEntry[]): SkippedGroup[] {
  const groups = new Map<string, { why: string; count: number; where: string[] }>();
  for (const { why, where } of skipped) {
    const group = groups.get(why) ?? { why, count: 0, where: [] };
    group.count += 1;
    if (group.where.length < PLACES) group.where.push(where);
    groups.set(why, group);
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}
