import {
  batchWithFallback,
  type Database,
  isWorkAtFault,
  storeUnavailable,
} from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Batcher, createBatcher } from '../../../platform/concurrency/batcher.ts';
import { ServiceError } from '../../../platform/service-error.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { NO_TRACER, type Tracer, traceShared } from '../../../platform/tracing/tracer.ts';
import type { RequestOrigins, Wake } from '../../webhooks/index.ts';
import type { AppendThread } from './append-thread.ts';
import type { Submission, SubmissionOutcome } from './submission.ts';

/** Requests with one event: a transaction takes as many as arrived during the previous one. */
const MAX_SINGLES = 256;
/**
 * While the writer thread stores one group, the next already waits there. Otherwise the thread would be idle until the main
 * thread notices the end of the transaction, up to 5 ms later.
 */
const SINGLES_UNDER_WAY = 2;
/**
 * Events in a group of batches: few, so that a transaction stays short for the submissions behind it.
 */
const MAX_BATCHED = 500;
/** Requests with one event that wait. Those with a batch are fewer. The tenant with the most gives way. */
const MAX_WAITING = 4096;
/** How long a request waits for its outcome. Clients wait longer, so they receive the reason. */
const MAX_WAIT_MS = 10_000;

/**
 * Group commit: submissions that arrive while a transaction runs are stored together by the next one, and each gets
 * its response after the commit. docs/performance.md compares this with one transaction per request, on 2 cores
 * with 64 connections.
 *
 *     write ─┬─ one event ───────▶ singles ─┬─▶ one transaction ──failed──▶ one per tenant
 *            ├─ several events ──▶ batches ─┘                                  │ its feed is locked
 *            └─ tenant is locked ▶ ofLocked ◀──────────────────────────────────┘
 *                                     └─▶ one per tenant, repeated while the lock lasts
 */
export class EventWriter {
  readonly #database: Database;
  readonly #thread: AppendThread;
  readonly #clock: Clock;
  readonly #wake: Wake;
  readonly #origins: RequestOrigins | undefined;
  readonly #tracer: Tracer;
  readonly #appended: (tenantId: TenantId) => void;
  readonly #singles: Batcher<Submission, SubmissionOutcome>;
  readonly #batches: Batcher<Submission, SubmissionOutcome>;
  readonly #ofLocked: Batcher<Submission, SubmissionOutcome>;
  /** Tenants whose last transaction waited too long for a lock. PostgreSQL only. */
  readonly #locked = new Set<TenantId>();

  constructor(parts: {
    database: Database;
    thread: AppendThread;
    clock: Clock;
    wake: Wake;
    /** Gets the requests whose events are delivered to webhooks. */
    origins?: RequestOrigins;
    tracer?: Tracer;
    /** Called after events of a tenant were committed. */
    appended: (tenantId: TenantId) => void;
  }) {
    this.#database = parts.database;
    this.#thread = parts.thread;
    this.#clock = parts.clock;
    this.#wake = parts.wake;
    this.#origins = parts.origins;
    this.#tracer = parts.tracer ?? NO_TRACER;
    this.#appended = parts.appended;
    const run = (submissions: Submission[]) => this.#commit(submissions);
    const options = { run, maxWaitMs: MAX_WAIT_MS, lineOf: tenantOf };
    this.#singles = createBatcher({
      ...options,
      maxBatch: MAX_SINGLES,
      concurrency: SINGLES_UNDER_WAY,
      maxQueue: MAX_WAITING,
    });
    const weigh = ({ events }: Submission) => events.length;
    const ofBatches = { ...options, maxBatch: MAX_BATCHED, maxQueue: MAX_WAITING / 16, weigh };
    this.#batches = createBatcher(ofBatches);
    const runLocked = (submissions: Submission[]) => this.#commitLocked(submissions);
    this.#ofLocked = createBatcher({ ...ofBatches, run: runLocked });
  }

  /**
   * Resolves when the outcome is on disk.
   * @throws ServiceError `unavailable`: nothing is stored, or it is unknown whether anything is. Events that are sent again
   * are stored once
   */
  async write(submission: Submission): Promise<SubmissionOutcome> {
    if (this.isStuck()) {
      throw new ServiceError('unavailable', 'Events cannot be stored at the moment.', {
        retryAfterSeconds: 5,
      });
    }
    try {
      return await this.#batcherOf(submission).submit(submission);
    } catch (error) {
      if (!isWorkAtFault(error) || !this.#locked.has(tenantOf(submission))) throw error;
      return await this.#ofLocked.submit(submission);
    }
  }

  #batcherOf({ request, events }: Submission): Batcher<Submission, SubmissionOutcome> {
    if (this.#locked.has(request.tenantId)) return this.#ofLocked;
    return events.length > 1 ? this.#batches : this.#singles;
  }

  /** Whether submissions are refused at once, because there is no thread or it does not answer. */
  isStuck(): boolean {
    return this.#thread.isStuck();
  }

  /** The number of submissions without an outcome. */
  waiting(): number {
    return this.#singles.pending() + this.#batches.pending() + this.#ofLocked.pending();
  }

  /** Resolves when every submission has its outcome and the thread has ended. */
  async close(): Promise<void> {
    await Promise.all([this.#singles.close(), this.#batches.close(), this.#ofLocked.close()]);
    await this.#thread.close();
  }

  /**
   * Appends the submissions in one transaction. When that fails, each tenant has its own. Those of locked tenants, which
   * may have waited here since before the lock, are left to the queue of these tenants.
   */
  async #commit(submissions: readonly Submission[]): Promise<PromiseSettledResult<SubmissionOutcome>[]> {
    const isFree = (submission: Submission) => !this.#locked.has(tenantOf(submission));
    const free = submissions.filter(isFree);
    const kept = new Set(free);
    const stored =
      free.length === 0 ? [] : await batchWithFallback(free, (some) => this.#append(some), tenantOf);
    const outcomes = stored.values();
    return submissions.map((submission) =>
      kept.has(submission)
        ? (outcomes.next().value as PromiseSettledResult<SubmissionOutcome>)
        : { status: 'rejected', reason: feedIsLocked() },
    );
  }

  /** Waits for the lock as long as the requests wait. */
  async #commitLocked(
    submissions: readonly Submission[],
  ): Promise<PromiseSettledResult<SubmissionOutcome>[]> {
    const endMs = performance.now() + MAX_WAIT_MS / 2;
    for (;;) {
      try {
        return await batchWithFallback(submissions, (some) => this.#append(some), tenantOf);
      } catch (error) {
        if (!isWorkAtFault(error) || performance.now() >= endMs) throw error;
      }
    }
  }

  async #append(submissions: readonly Submission[]): Promise<PromiseSettledResult<SubmissionOutcome>[]> {
    try {
      const append = () => this.#thread.append(submissions, this.#clock.now());
      const { outcomes, due } = await this.#traced(submissions, () => this.#database.inTurn(append));
      for (const [tenantId, webhookIds] of due) {
        this.#locked.delete(tenantId);
        if (webhookIds.length > 0) this.#rememberOrigins(tenantId, submissions);
        this.#wake(tenantId, webhookIds);
      }
      for (const tenantId of new Set(submissions.map(tenantOf))) this.#appended(tenantId);
      return outcomes.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      const tenants = new Set(submissions.map(tenantOf));
      // One tenant, whose feed is locked by work that takes a while: from now on others do not wait for it.
      if (tenants.size === 1 && isWorkAtFault(error))
        for (const tenantId of tenants) this.#locked.add(tenantId);
      throw error;
    }
  }

  /** The transaction is in the trace of each request that it stores events of. */
  #traced<Result>(submissions: readonly Submission[], work: () => Promise<Result>): Promise<Result> {
    const parents = submissions.map(({ trace }) => trace);
    const attributes = { 'tps.group.requests': submissions.length };
    return traceShared(this.#tracer, { name: 'store events', parents, attributes }, work);
  }

  #rememberOrigins(tenantId: TenantId, submissions: readonly Submission[]): void {
    for (const { request, trace, events } of submissions) {
      if (request.tenantId !== tenantId) continue;
      const origin = { requestId: request.requestId, trace };
      for (const { eventId } of events) this.#origins?.remember(tenantId, eventId, origin);
    }
  }
}

function tenantOf({ request }: Submission): TenantId {
  return request.tenantId;
}

/** The error of a statement that waited too long for the lock of a feed (PostgreSQL, appendix A). */
function feedIsLocked(): ServiceError {
  return storeUnavailable(Object.assign(new Error('The feed of the tenant is locked.'), { code: '55P03' }));
}
