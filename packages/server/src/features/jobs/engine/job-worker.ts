import { randomUUID } from 'node:crypto';
import { TRIAGE_WORKFLOW } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { startTriages } from './automatic-triage.ts';
import { type ClaimedJob, claimJob } from './claim-job.ts';
import { listDueTenants } from './due-tenant-read-model.ts';
import * as jobQueueStore from './job-queue-store.ts';
import { type ObservedStep, runJob } from './run-job.ts';
import type { Workflow } from './workflow.ts';

/** Jobs at once: they wait for the store, not for each other. */
const MAX_JOBS = 4;
/** How long a claim holds, and each finished step anew. */
const LEASE_MS = 60_000;
/** What a step may take is within its lease, with time to record it. */
const LEASE_MARGIN_MS = 30_000;
/** The net under the wakes: finds what other nodes have stored, and what a node that is no more has claimed. */
const POLL_MS = 500;
/** How often incidents are looked for that ask for a triage. */
const TRIAGE_POLL_MS = 2_000;
/** What a step may still take after the service began to stop. */
const LAST_STEP_MS = 2_000;

interface JobWorkerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly workflows: readonly Workflow[];
  /** Longest time that one step of a job may take. */
  readonly stepMs: number;
  readonly observe?: (step: ObservedStep) => void;
}

/**
 * Does what jobs have to do: claims those that are due with a lease, the tenants in turn, and takes each from step to
 * step. Any number of nodes may do this on one PostgreSQL.
 */
export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly #nodeId = randomUUID();
  readonly #leaseMs: number;
  readonly #loop: PollingLoop;
  readonly #running = new Set<Promise<void>>();
  readonly #interruption = new AbortController();
  #stopping: Promise<void> | undefined;
  /** Whose job was begun last: the next one is another tenant's, when another has one. */
  #lastTenant = '';
  #triagedAtMs = Number.NEGATIVE_INFINITY;
  #isTriageFailing = false;

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
    this.#leaseMs = Math.max(LEASE_MS, parts.stepMs + LEASE_MARGIN_MS);
    const { logger } = parts;
    this.#loop = new PollingLoop({
      round: async () => {
        await this.#startTriages();
        await this.#claim();
        return POLL_MS;
      },
      onFailure: (error, inARow) => {
        if (inARow === 1) logger.warn({ err: error }, 'jobs could not be claimed');
      },
      onRecovery: () => logger.info('jobs resumed'),
    });
  }

  async start(): Promise<void> {
    const { database, clock } = this.#parts;
    // This process is the only one on the file: whoever holds a lease there was killed.
    if (database.engine === 'sqlite') {
      await database.transaction((tx) => jobQueueStore.endAllLeases(tx, clock.now()));
    }
    this.#loop.start();
  }

  /** Tells that a job with something to do has been committed. */
  wake(): void {
    this.#loop.wake();
  }

  /** Whether jobs are being worked on: false when the store has not been reached for a while. */
  isRunning(): boolean {
    return this.#loop.isHealthy();
  }

  /** Finishes the steps under way, begins no other, and gives the jobs back. A repeat waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const stopped = this.#loop.stop();
    const breakOff = setTimeout(() => this.#interruption.abort(), LAST_STEP_MS);
    await stopped;
    await Promise.all(this.#running);
    clearTimeout(breakOff);
  }

  /** Fills the room there is, a job of each tenant in turn. Asks the store even without room: that is a sign of life. */
  async #claim(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const search = this.#search();
      const tenants = await listDueTenants(this.#parts.database.read, search);
      isMore = false;
      for (const tenantId of inTurn(tenants, this.#lastTenant)) {
        if (this.#running.size >= MAX_JOBS || this.#loop.signal.aborted) return;
        const lease = { ...search, nodeId: this.#nodeId, endsAtMs: search.nowMs + this.#leaseMs };
        const claimed = await this.#parts.database.transaction(
          (tx) => claimJob(tx, tenantId, lease),
          // A claim that got lost ends with its lease.
          { idempotent: true },
        );
        if (!claimed) continue;
        this.#lastTenant = tenantId;
        this.#begin(claimed);
        isMore = true;
      }
    }
  }

  #search(): jobQueueStore.DueSearch {
    return {
      workflowIds: this.#parts.workflows.map(({ id }) => id),
      nowMs: this.#parts.clock.now(),
    };
  }

  #begin(claimed: ClaimedJob): void {
    const { database, clock, logger, workflows, stepMs, observe = () => {} } = this.#parts;
    const work = runJob(claimed, {
      ...{ database, clock, logger, workflows, stepMs, observe },
      leaseMs: this.#leaseMs,
      stopping: this.#loop.signal,
      interruption: this.#interruption.signal,
    })
      .catch((error: unknown) =>
        logger.warn({ err: error, job: claimed.jobId }, 'job interrupted; it continues after its lease ends'),
      )
      .finally(() => {
        this.#running.delete(work);
        this.#loop.wake();
      });
    this.#running.add(work);
  }

  async #startTriages(): Promise<void> {
    const { database, clock, logger, workflows } = this.#parts;
    const workflow = workflows.find(({ id }) => id === TRIAGE_WORKFLOW);
    if (!workflow || performance.now() - this.#triagedAtMs < TRIAGE_POLL_MS) return;
    this.#triagedAtMs = performance.now();
    try {
      await startTriages(database, { workflow, nowMs: clock.now() });
      this.#isTriageFailing = false;
    } catch (error) {
      // What people have asked for goes on all the same.
      if (!this.#isTriageFailing) logger.warn({ err: error }, 'automatic triages could not be begun');
      this.#isTriageFailing = true;
    }
  }
}

/** Puts the tenants after the last one first. */
function inTurn(tenants: readonly TenantId[], last: string): TenantId[] {
  return [
    ...tenants.filter((tenantId) => tenantId > last),
    ...tenants.filter((tenantId) => tenantId <= last),
  ];
}
