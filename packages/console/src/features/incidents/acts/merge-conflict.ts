import type { Incident, IncidentChange } from '@tps/client';

/** What people change in an incident. Events that join change its severity and its version only. */
export const MERGED_MEMBERS = ['status', 'resolution', 'severity', 'assignee', 'tags'] as const;
type MergedMember = (typeof MERGED_MEMBERS)[number];

/** Another person has changed the incident after it was shown. */
export class MergeConflictError extends Error {
  override readonly name = 'MergeConflictError';
  readonly wanted: IncidentChange;
  readonly shown: Incident;
  readonly current: Incident;

  constructor(parts: { wanted: IncidentChange; shown: Incident; current: Incident }) {
    super('Another person has changed this incident. Choose which change stays.');
    this.wanted = parts.wanted;
    this.shown = parts.shown;
    this.current = parts.current;
  }
}

/** Lists what is different between two versions of an incident. */
function differencesOf(before: Incident, after: Incident): MergedMember[] {
  return MERGED_MEMBERS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/**
 * Whether a change that was made on an earlier version can be made on the current one without asking: only events joined, or
 * what it changes is the same in both. A change of status depends on more than its member, so any other one asks.
 */
export function isCompatible(wanted: IncidentChange, shown: Incident, current: Incident): boolean {
  const differences = differencesOf(shown, current);
  if (differences.length === 0) return true;
  if (wanted.status !== undefined && (differences.includes('status') || differences.includes('resolution'))) {
    return false;
  }
  const touched: readonly MergedMember[] = [
    ...MERGED_MEMBERS.filter((name) => wanted[name] !== undefined),
    ...(wanted.add_tags === undefined && wanted.remove_tags === undefined ? [] : (['tags'] as const)),
  ];
  // Adding and removing tags merges by itself.
  const replacesTags = wanted.tags !== undefined;
  return touched.every((name) => !differences.includes(name) || (name === 'tags' && !replacesTags));
}

/** Returns what another person has added to the timeline since it was shown. */
export function entriesSince(shown: Incident, current: Incident): Incident['timeline'] {
  const known = new Set(shown.timeline.map((entry) => JSON.stringify(entry)));
  return current.timeline.filter((entry) => entry.kind === 'changed' && !known.has(JSON.stringify(entry)));
}

/** Whether a person has made a change after the incident was shown: their entry has its comment, and it is in effect. */
export function hasMade(
  wanted: IncidentChange,
  { by, shown, current }: { readonly by: string; readonly shown: Incident; readonly current: Incident },
): boolean {
  const { status = current.status, resolution = current.resolution, comment = null } = wanted;
  const isInEffect = status === current.status && resolution === current.resolution;
  const entries = entriesSince(shown, current).filter(({ actor }) => actor === by);
  return isInEffect && entries.some((entry) => entry.comment === comment);
}
