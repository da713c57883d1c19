import { noticeStore } from '../notices/index.ts';
import type { Leftovers } from './data-request.ts';
import type { Removal } from './removal.ts';
import { deleteWhere, listValues } from './subject-rows-store.ts';

/** The most rows of one table that a transaction deletes: events never wait long. */
const ROWS_PER_TRANSACTION = 1_000;
/** Each can be part of a digest of 500 others. */
const NOTICES_PER_TRANSACTION = 100;
/** A job has up to 10 runs, each with several steps and artifacts. */
export const JOBS_PER_TRANSACTION = 10;

const CHILDREN = [
  { table: 'incident_timeline', key: ['incident_id', 'entry_id'] },
  { table: 'incident_members', key: ['incident_id', 'kind', 'member_id'] },
] as const;

/**
 * Deletes rows that refer to deleted objects: as many as fit in one transaction. No one sees the others, because what they
 * refer to is gone. Returns the objects to which rows may still refer.
 */
export async function removeReferences(removal: Removal): Promise<Leftovers> {
  const { incidentIds, inputRefs } = removal.leftovers;
  const areIncidentsDone = incidentIds.length === 0 || (await removeOfIncidents(removal, incidentIds));
  const areInputsDone = inputRefs.length === 0 || (await removeJobsAbout(removal, inputRefs));
  return {
    incidentIds: areIncidentsDone ? [] : incidentIds,
    inputRefs: areInputsDone ? [] : inputRefs,
  };
}

/** Returns whether nothing is left. */
async function removeOfIncidents(removal: Removal, incidentIds: readonly string[]): Promise<boolean> {
  const { tx, tenantId, nowMs } = removal;
  let isDone = true;
  for (const { table, key } of CHILDREN) {
    const slice = { key, limit: ROWS_PER_TRANSACTION };
    const children = { table, column: 'incident_id', values: incidentIds, slice };
    const removed = await deleteWhere(tx, tenantId, children);
    removal.add(table, removed);
    if (removed === ROWS_PER_TRANSACTION) isDone = false;
  }
  const about = { incidentIds, limit: NOTICES_PER_TRANSACTION };
  const { removed, digestIds } = await noticeStore.removeSomeAbout(tx, tenantId, about);
  removal.add('notices', removed + (await noticeStore.removeDigests(tx, tenantId, { digestIds, nowMs })));
  return isDone && removed < NOTICES_PER_TRANSACTION;
}

/** Deletes jobs that had one of these objects as an input in any run. Returns whether none is left. */
async function removeJobsAbout(removal: Removal, inputRefs: readonly string[]): Promise<boolean> {
  const { tx, tenantId } = removal;
  const inputs = { table: 'job_inputs', select: 'job_id', column: 'input_ref', values: inputRefs } as const;
  const jobIds = await listValues(tx, tenantId, { ...inputs, limit: JOBS_PER_TRANSACTION });
  await removeJobs(removal, jobIds);
  return jobIds.length < JOBS_PER_TRANSACTION;
}

/** Deletes jobs with all their runs. A running step finds its job gone and writes nothing. */
export async function removeJobs(removal: Removal, jobIds: readonly string[]): Promise<void> {
  const { tx, tenantId } = removal;
  for (const table of ['artifacts', 'trace_steps', 'traces', 'job_inputs', 'jobs'] as const)
    removal.add(table, await deleteWhere(tx, tenantId, { table, column: 'job_id', values: jobIds }));
}
