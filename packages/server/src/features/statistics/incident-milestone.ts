import type { IncidentCategory } from '@tps/contract';
import { durationClassOf } from './duration-class.ts';
import type { Counts } from './statistics-columns.ts';

/** The state of an incident from which its milestones follow. Each time is set once and never changed. */
export interface IncidentTimes {
  readonly category: IncidentCategory;
  readonly createdAtMs: number;
  readonly acknowledgedAtMs: number | null;
  readonly firstResolvedAtMs: number | null;
}

/**
 * Counts what a change of an incident reached for the first time: that it was opened, acknowledged, resolved. An incident
 * that is opened again and resolved again counts once. Pure.
 */
export function countMilestones(
  before: IncidentTimes | undefined,
  after: IncidentTimes,
): Counts<'incident_statistics'> {
  const { category, createdAtMs, acknowledgedAtMs, firstResolvedAtMs } = after;
  const counts: Counts<'incident_statistics'> = {};
  if (!before) counts[`opened_${category}`] = 1;
  if (acknowledgedAtMs !== null && (before?.acknowledgedAtMs ?? null) === null) {
    const durationMs = Math.max(0, acknowledgedAtMs - createdAtMs);
    counts[`acknowledged_in_${durationClassOf(durationMs)}`] = 1;
    counts.acknowledge_ms = durationMs;
  }
  if (firstResolvedAtMs !== null && (before?.firstResolvedAtMs ?? null) === null) {
    const durationMs = Math.max(0, firstResolvedAtMs - createdAtMs);
    counts[`resolved_${category}`] = 1;
    counts[`resolved_in_${durationClassOf(durationMs)}`] = 1;
    counts.resolve_ms = durationMs;
  }
  return counts;
}
