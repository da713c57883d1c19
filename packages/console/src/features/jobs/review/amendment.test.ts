import type { Job } from '@tps/client';
import { expect, test } from 'vitest';
import { compareRefs, draftOf, problemOf, toAmendment } from './amendment.ts';

const JOB = { input_refs: ['inc_1', 'alr_2'], max_runs: 3, run_count: 1 } as Job;

test('the difference names what the next run leaves out and adds', () => {
  expect(compareRefs(['inc_1', 'alr_2'], ['alr_2', 'thr_3'])).toEqual([
    { ref: 'inc_1', kind: 'removed' },
    { ref: 'alr_2', kind: 'kept' },
    { ref: 'thr_3', kind: 'added' },
  ]);
});

test('an amendment has only what differs', () => {
  const draft = draftOf(JOB);
  expect(toAmendment(JOB, draft)).toEqual({});
  expect(toAmendment(JOB, { ...draft, refs: ' inc_1,\nalr_2 ' })).toEqual({});
  expect(toAmendment(JOB, { refs: 'inc_1', maxRuns: 5 })).toEqual({ input_refs: ['inc_1'], max_runs: 5 });
});

test.each([
  ['', 3, 'at least one'],
  ['dev_1', 3, 'dev_1'],
  ['inc_1', 1, 'run 1 times'],
  [Array.from({ length: 51 }, (_, index) => `inc_${index}`).join(' '), 3, '50'],
])('a draft that the service would refuse says why: %s', (refs, maxRuns, words) => {
  expect(problemOf(JOB, { refs, maxRuns })).toContain(words);
  expect(problemOf(JOB, draftOf(JOB))).toBeUndefined();
});
