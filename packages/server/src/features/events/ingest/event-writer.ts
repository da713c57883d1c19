import { batchWithFallback } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Batcher, createBatcher } from '../../../platform/concurrency/batcher.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import type { RequestDatabase } from '../../authority/index.ts';
import type { Wake } from '../../webhooks/index.ts';
import type { DerivationSettings } from '../derive/derivation-settings.ts';
import { appendEvents } from './append-events.ts';
import type { AdmittedSubmission, Submission, SubmissionOutcome } from './submission.ts';

/** Requests with one event: a transaction takes as many as arrived during the previous one. */
const MAX_SINGLES = 256;
/**
 * Events of requests with up to 500 of them: few, so that a transaction stays short for the requests behind it. The commit
 * of 2,000 events held the event loop for 35 ms.
 */
const MAX_BATCHED = 500;
const MAX_WAITING = 4096;

/**
 * Group commit: submissions that arrive while a transaction runs are stored together by the next one, and each gets
 * its response after the commit. docs/performance.md compares this with one transaction per request, on 2 cores
 * with 64 connections.
 */
export class EventWriter {
  readonly #database: RequestDatabase;
  readonly #clock: Clock;
  readonly #settings: DerivationSettings;
  readonly #wake: Wake;
  readonly #singles: Batcher<AdmittedSubmission, SubmissionOutcome>;
  readonly #batches: Batcher<AdmittedSubmission, SubmissionOutcome>;

  constructor(parts: { database: RequestDatabase; clock: Clock; settings: DerivationSettings; wake: Wake }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#settings = parts.settings;
    this.#wake = parts.wake;
    const run = (submissions: AdmittedSubmission[]) => this.#commit(submissions);
    this.#singles = createBatcher({ run, maxBatch: MAX_SINGLES, maxQueue: MAX_WAITING });
    const weigh = ({ events }: { events: readonly unknown[] }) => events.length;
    this.#batches = createBatcher({ run, maxBatch: MAX_BATCHED, maxQueue: MAX_WAITING / 16, weigh });
  }

  /** Resolves when the outcome is on disk. @throws ServiceError `unavailable`; nothing is stored partially then */
  write(submission: AdmittedSubmission): Promise<SubmissionOutcome> {
    return (submission.events.length > 1 ? this.#batches : this.#singles).submit(submission);
  }

  /** The number of submissions without an outcome. */
  waiting(): number {
    return this.#singles.pending() + this.#batches.pending();
  }

  /** Resolves when every submission has its outcome. */
  async close(): Promise<void> {
    await Promise.all([this.#singles.close(), this.#batches.close()]);
  }

  /** Appends the submissions in one transaction, tenant by tenant. When that fails, each has its own. */
  #commit(submissions: readonly AdmittedSubmission[]): Promise<PromiseSettledResult<SubmissionOutcome>[]> {
    return batchWithFallback(submissions, async (some) => {
      const requests = some.map(({ request }) => request);
      const appended = await this.#database.groupTransaction(requests, async (tx, refusalOf) => {
        const outcomes = new Map<Submission, SubmissionOutcome>();
        for (const submission of some) {
          const error = refusalOf(submission.request);
          if (error) outcomes.set(submission, { kind: 'refused', error });
        }
        const admitted = some.filter((submission) => !outcomes.has(submission));
        const due: [TenantId, string[]][] = [];
        for (const [tenantId, ofTenant] of byTenant(admitted)) {
          const options = { submissions: ofTenant, nowMs: this.#clock.now(), settings: this.#settings };
          const result = await appendEvents(tx, tenantId, options);
          for (const [submission, outcome] of result.outcomes) outcomes.set(submission, outcome);
          due.push([tenantId, result.webhookIds]);
        }
        return { outcomes, due };
      });
      for (const [tenantId, webhookIds] of appended.due) this.#wake(tenantId, webhookIds);
      return some.map((submission) => {
        const value = appended.outcomes.get(submission);
        if (!value) throw new Error('a submission has no outcome');
        return { status: 'fulfilled', value };
      });
    });
  }
}

/** Sorted by tenant, so that two nodes that write for the same tenants take their locks in the same order. */
function byTenant(submissions: readonly Submission[]): [TenantId, Submission[]][] {
  const groups = new Map<TenantId, Submission[]>();
  for (const submission of submissions) {
    const group = groups.get(submission.tenantId);
    if (group) group.push(submission);
    else groups.set(submission.tenantId, [submission]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
