import type { Job, Review } from '@tps/client';

type Amendment = NonNullable<Review['amendment']>;

/** What a person has typed for the next run of a job. */
export interface AmendmentDraft {
  /** One id per line. */
  readonly refs: string;
  readonly maxRuns: number;
}

export interface RefDifference {
  readonly ref: string;
  readonly kind: 'kept' | 'added' | 'removed';
}

const MAX_INPUT_REFS = 50;
export const MAX_RUNS = 10;
const REF = /^(?:inc|alr|thr|evt|scn)_[A-Za-z0-9_-]{1,64}$/;

export function draftOf({ input_refs: refs, max_runs: maxRuns }: Job): AmendmentDraft {
  return { refs: refs.join('\n'), maxRuns };
}

export function refsOf({ refs }: AmendmentDraft): string[] {
  return [...new Set(refs.split(/[\s,]+/).filter((ref) => ref !== ''))];
}

/** Compares the inputs of the next run with those of the last one: removed ones where they were, added ones at the end. */
export function compareRefs(before: readonly string[], after: readonly string[]): RefDifference[] {
  return [
    ...before.map((ref) => ({ ref, kind: after.includes(ref) ? ('kept' as const) : ('removed' as const) })),
    ...after.filter((ref) => !before.includes(ref)).map((ref) => ({ ref, kind: 'added' as const })),
  ];
}

/** Returns what is wrong with a draft; undefined if nothing is. */
export function problemOf(job: Job, draft: AmendmentDraft): string | undefined {
  const refs = refsOf(draft);
  if (refs.length === 0) return 'Name at least one input.';
  if (refs.length > MAX_INPUT_REFS) return `At most ${MAX_INPUT_REFS} inputs.`;
  const wrong = refs.find((ref) => !REF.test(ref));
  if (wrong !== undefined) return `${wrong} is not the ID of an incident, alert, threat, event or scan.`;
  if (draft.maxRuns <= job.run_count) return `It has run ${job.run_count} times: allow more runs than that.`;
  return undefined;
}

/** Returns the members that differ from those of the job. */
export function toAmendment(job: Job, draft: AmendmentDraft): Amendment {
  const refs = refsOf(draft);
  return {
    ...(compareRefs(job.input_refs, refs).some(({ kind }) => kind !== 'kept') && { input_refs: refs }),
    ...(draft.maxRuns !== job.max_runs && { max_runs: draft.maxRuns }),
  };
}
