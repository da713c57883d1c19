import { createHash } from 'node:crypto';
import { EXPORT_DAYS } from '@tps/contract/vocabulary';
import type { Database, Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { type AuditRecord, auditStore, SERVICE } from '../audit/index.ts';
import { erasedEventStore, feedHeadStore } from '../feed/index.ts';
import { boundReads } from './bound-reads.ts';
import {
  addCounts,
  BEGINNING,
  type DataRequestRecord,
  type Progress,
  type RecordCounts,
  subjectOf,
  totalOf,
} from './data-request.ts';
import * as dataRequestStore from './data-request-store.ts';
import { KIND_OF_TABLE, RECORD_SOURCES, type RecordSource } from './record-source.ts';
import { RemovedRows } from './remove-derived.ts';
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

/**
 * Does one bounded step of a request: searches, then deletes or counts what it found and saves the progress in one
 * transaction. If the process is killed, the step is repeated; several processes may work on the same request. Returns
 * whether the request is done.
 */
export async function advanceRequest(work: Work, request: DataRequestRecord): Promise<boolean> {
  const subject = subjectOf(request);
  if (subject === undefined || request.status !== 'running') return true;
  const step = await search(work, request, subject);
  const isLast = (step?.next.stage ?? request.progress.stage) >= RECORD_SOURCES.length;
  // Long for many events, and they do not change: the last source has none.
  const proof = isLast && request.kind === 'deletion' ? await proofOf(work, request) : null;
  return work.database.transaction(
    async (tx) => {
      if (request.kind === 'deletion') await feedHeadStore.lock(tx, request.tenantId);
      const stored = await dataRequestStore.findForUpdate(tx, request.tenantId, request.requestId);
      if (stored?.status !== 'running') return true;
      // Another process has done this step.
      if (JSON.stringify(stored.progress) !== JSON.stringify(request.progress)) return false;
      const nowMs = work.clock.now();
      const counts = step ? await apply(tx, stored, { step, nowMs }) : {};
      const counted = { ...stored, counts: addCounts(stored.counts, counts) };
      const progress = step ? { ...stored.progress, ...step.next } : stored.progress;
      const found = stored.progress.foundInPass + totalOf(counts);
      if (!isLast) {
        await dataRequestStore.save(tx, { ...counted, progress: { ...progress, foundInPass: found } });
        return false;
      }
      if (request.kind === 'deletion' && found > 0 && progress.pass < MAX_PASSES) {
        const again = { ...BEGINNING, pass: progress.pass + 1 };
        await dataRequestStore.save(tx, { ...counted, progress: again });
        return false;
      }
      await complete(tx, { ...counted, progress, proof }, { subject, nowMs });
      return true;
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
    const limit = RECORDS_PER_TRANSACTION;
    const searched = { source, matcher, after, untilPosition, limit };
    const window = await searchWindow(database.read, tenantId, searched);
    const found = kind === 'export' ? window : await boundReads(database.read, tenantId, { source, window });
    [stage, after] = found.until === undefined ? [stage + 1, undefined] : [stage, found.until];
    step = { source, rows: found.rows, next: { stage, stageKey: after } };
    if (found.rows.length > 0) return step;
  }
  return step;
}

/** Deletes or counts records. Returns how many, by kind. */
async function apply(
  tx: Queries,
  { kind, tenantId, requestId }: DataRequestRecord,
  { step: { source, rows }, nowMs }: { step: Step; nowMs: number },
): Promise<RecordCounts> {
  if (rows.length === 0) return {};
  if (kind === 'export') return { [source.kind]: rows.length };
  const removed = new RemovedRows();
  await removeRows({ tx, tenantId, removed, nowMs }, { source, rows, requestId });
  return Object.fromEntries(
    Object.entries(removed.counts).map(([table, count]) => [
      KIND_OF_TABLE[table as keyof typeof KIND_OF_TABLE],
      count,
    ]),
  );
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
    detail: `Deletion completed: ${totalOf(counts)} records`,
    fields: { records: counts, proof },
  };
}
