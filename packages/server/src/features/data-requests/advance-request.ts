import { createHash } from 'node:crypto';
import { countOf, EXPORT_DAYS } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditRecord, auditStore, SERVICE } from '../audit/index.ts';
import { erasedEventStore, feedHeadStore } from '../feed/index.ts';
import { boundReads } from './bound-reads.ts';
import {
  addCounts,
  BEGINNING,
  type DataRequestRecord,
  hasLeftovers,
  type Progress,
  type RecordCounts,
  subjectOf,
  totalOf,
} from './data-request.ts';
import * as dataRequestStore from './data-request-store.ts';
import { KIND_OF_TABLE, RECORD_SOURCES, type RecordSource } from './record-source.ts';
import { Removal } from './removal.ts';
import { JOBS_PER_TRANSACTION, removeReferences } from './remove-references.ts';
import { removeRows } from './remove-rows.ts';
import { matcherOf, type Subject } from './subject.ts';
import { type Row, searchWindow } from './subject-rows-store.ts';

/**
 * The most records that one transaction deletes, besides what follows from them: events never wait long. Fewer if their
 * threats, which are counted again, have many events.
 */
const RECORDS_PER_TRANSACTION = 50;
/** Windows without a find that are searched before the progress is saved. */
const MAX_WINDOWS = 20;
/** A deletion searches again for what requests in progress wrote meanwhile. New records do not keep it from completing. */
const MAX_PASSES = 3;
const PROOF_PAGE = 1_000;

interface Work {
  readonly database: Database;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What a step has found: some records of a source, and where the search continues. */
interface Step {
  readonly source: RecordSource;
  readonly rows: readonly Row[];
  readonly next: Pick<Progress, 'stage' | 'stageKey'>;
}

/** What a step has changed. */
interface Change {
  readonly counts: RecordCounts;
  readonly progress: Progress;
}

/**
 * Does one bounded step of a request: searches, then deletes or counts what it found and saves the progress in one
 * transaction. If the process is killed, the step is repeated; several processes may work on the same request. Returns
 * whether there is nothing more to do.
 */
export async function advanceRequest(work: Work, request: DataRequestRecord): Promise<boolean> {
  const subject = subjectOf(request);
  if (subject === undefined || request.status !== 'running') return true;
  const { tenantId, progress } = request;
  const step = hasLeftovers(progress) ? undefined : await search(work, request, subject);
  const isLast = !hasLeftovers(progress) && (step?.next ?? progress).stage >= RECORD_SOURCES.length;
  // Long for many events, and they do not change: the last source has none.
  const proof = isLast && request.kind === 'deletion' ? await proofOf(work, request) : null;
  const deletes = request.kind === 'deletion' && (hasLeftovers(progress) || (step?.rows.length ?? 0) > 0);
  return work.database.transaction(
    async (tx) => {
      // First without a lock: events do not wait for a step that has been done, or that has nothing to delete.
      const known = await dataRequestStore.find(tx, tenantId, request.requestId);
      if (known?.status !== 'running') return true;
      // The feed of a tenant that is being deleted is not created again.
      if (deletes && !(await feedHeadStore.lockExisting(tx, tenantId))) return true;
      const stored = await dataRequestStore.findForUpdate(tx, tenantId, request.requestId);
      if (stored?.status !== 'running') return true;
      // Another process has done this step.
      if (JSON.stringify(stored.progress) !== JSON.stringify(progress)) return false;
      const nowMs = work.clock.now();
      const change = await apply(tx, stored, { subject, step, nowMs });
      const foundInPass = progress.foundInPass + totalOf(change.counts);
      const counted = { ...stored, counts: addCounts(stored.counts, change.counts) };
      if (isLast && (request.kind === 'export' || foundInPass === 0 || progress.pass >= MAX_PASSES)) {
        await complete(tx, { ...counted, progress: change.progress, proof }, { subject, nowMs });
        return true;
      }
      const next = isLast ? { ...BEGINNING, pass: progress.pass + 1 } : { ...change.progress, foundInPass };
      await dataRequestStore.save(tx, { ...counted, progress: next });
      return false;
    },
    // The saved progress shows that the step was done.
    { idempotent: true },
  );
}

/** Searches until something is found, the sources end, or many windows were searched. */
async function search(
  { database, signal }: Work,
  { kind, tenantId, progress, untilPosition }: DataRequestRecord,
  subject: Subject,
): Promise<Step | undefined> {
  const matcher = matcherOf(subject);
  let { stage, stageKey: after } = progress;
  let step: Step | undefined;
  for (let windows = 0; windows < MAX_WINDOWS; windows += 1) {
    const source = RECORD_SOURCES[stage];
    if (source === undefined) return step;
    // SQLite queries run without yielding to the event loop.
    await new Promise(setImmediate);
    signal.throwIfAborted();
    const limit = source.removal === 'job' ? JOBS_PER_TRANSACTION : RECORDS_PER_TRANSACTION;
    const searched = { source, matcher, after, untilPosition, limit };
    const window = await searchWindow(database.read, tenantId, searched);
    const found = kind === 'export' ? window : await boundReads(database.read, tenantId, { source, window });
    [stage, after] = found.until === undefined ? [stage + 1, undefined] : [stage, found.until];
    step = { source, rows: found.rows, next: { stage, stageKey: after } };
    if (found.rows.length > 0) return step;
  }
  return step;
}

/** Deletes or counts records. */
async function apply(
  tx: Queries,
  { kind, tenantId, requestId, progress }: DataRequestRecord,
  { subject, step, nowMs }: { subject: Subject; step: Step | undefined; nowMs: number },
): Promise<Change> {
  const ahead = { ...progress, ...step?.next };
  if (kind === 'export') {
    const found = step?.rows.length ?? 0;
    return { counts: step && found > 0 ? { [step.source.kind]: found } : {}, progress: ahead };
  }
  const parts = { tx, tenantId, requestId, matcher: matcherOf(subject), nowMs };
  const removal = new Removal(parts, progress.leftovers);
  const areDone = step === undefined || (await removeRows(removal, step));
  const leftovers = await removeReferences(removal);
  const counts = Object.entries(removal.counts).map(([table, count]) => [
    KIND_OF_TABLE[table as keyof typeof KIND_OF_TABLE],
    count,
  ]);
  return {
    counts: Object.fromEntries(counts),
    progress: { ...(areDone ? ahead : progress), leftovers },
  };
}

async function complete(
  tx: Queries,
  request: DataRequestRecord,
  { subject, nowMs }: { subject: Subject; nowMs: number },
): Promise<void> {
  const { tenantId, kind } = request;
  const ended = { ...request, status: 'completed', completedAtMs: nowMs } as const;
  if (kind === 'export') {
    const expiresAtMs = nowMs + EXPORT_DAYS * 86_400_000;
    await dataRequestStore.save(tx, { ...ended, expiresAtMs });
    return;
  }
  const exports = await dataRequestStore.endExportsOf(tx, tenantId, subject);
  const counts = addCounts(request.counts, { data_request: exports });
  await dataRequestStore.save(tx, { ...ended, subject: null, counts });
  await auditStore.append(tx, completion({ ...ended, counts }), nowMs);
}

/** Hashes the places of all events that the request erased. */
async function proofOf(
  { database, signal }: Work,
  { tenantId, requestId }: DataRequestRecord,
): Promise<string> {
  const proof = createHash('sha256');
  let after = 0;
  for (;;) {
    const options = { requestId, after, limit: PROOF_PAGE };
    const page = await erasedEventStore.listOfRequest(database.read, tenantId, options);
    for (const { position, eventHash } of page)
      proof.update(`${position} ${Buffer.from(eventHash).toString('hex')}\n`);
    after = page.at(-1)?.position ?? after;
    if (page.length < PROOF_PAGE) return proof.digest('hex');
    await new Promise(setImmediate);
    signal.throwIfAborted();
  }
}

/** Without the subject: the audit log is kept. */
function completion({ tenantId, requestId, counts, proof }: DataRequestRecord): AuditRecord {
  return {
    tenantId,
    actor: SERVICE,
    action: 'data_request.complete',
    resource: { type: 'data_request', id: requestId },
    outcome: 'success',
    requestId: null,
    detail: `Deletion completed: ${countOf(totalOf(counts), 'record')}`,
    fields: { records: counts, proof },
  };
}
