import { randomUUID } from 'node:crypto';
import { TRIAGE_WORKFLOW } from '@tps/contract';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Activity } from '../../../platform/concurrency/activity.ts';
import type { FairTurns } from '../../../platform/concurrency/fair-turns.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { startTriages } from './automatic-triage.ts';
import { claimJob } from './claim-job.ts';
import type { ClaimedJob } from './claimed-job.ts';
import { listDueTenants } from './due-tenant-read-model.ts';
import * as jobQueueStore from './job-queue-store.ts';
import { type ObservedStep, runJob } from './run-job.ts';
import type { Workflow } from './workflow.ts';

/** Jobs that run concurrently: they wait for the store, not for each other. */
const MAX_JOBS = 4;
/** How long a claim holds, so how long a job of a killed node waits. The node renews it while it works on the job. */
const LEASE_MS = 15_000;
/** A claim is renewed when less than this is left of it: there is time to repeat a renewal that fails. */
const RENEW_BELOW_MS = 10_000;
/** How often the worker looks for incidents to triage automatically. */
const TRIAGE_POLL_MS = 2_000;
/** How long a running step may still take once the service stops. */
const LAST_STEP_MS = 2_000;

interface JobWorkerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly workflows: readonly Workflow[];
  readonly turns: FairTurns;
  /** Time limit of one step. */
  readonly stepMs: number;
  readonly observe?: (step: ObservedStep) => void;
  /** Complements the wake-ups: how often it looks for jobs that other nodes have stored or left. */
  readonly activity?: Activity;
}

/**
 * Runs jobs: claims the due ones under a lease, tenant by tenant in turn, and runs their steps. Any number of nodes can
 * run a worker on the same PostgreSQL database.
 */
export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly #nodeId = randomUUID();
  readonly #loop: PollingLoop;
  readonly #running = new Map<ClaimedJob, Promise<void>>();
  /** No claim of this process ends before this, unless it was lost. */
  #claimsEndAtMs = Number.POSITIVE_INFINITY;
  readonly #interruption = new AbortController();
  #stopping: Promise<void> | undefined;
  /** The tenant whose job was claimed last. Other tenants with due jobs come first in the next round. */
  #lastTenant = '';
  #hasEndedOldLeases = false;
  #triagedAtMs = Number.NEGATIVE_INFINITY;
  #isTriageFailing = false;

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
    const { logger, activity = new Activity() } = parts;
    activity.add(() => this.wake());
    this.#loop = new PollingLoop({
      round: async () => {
        await this.#endOldLeases();
        await this.#renew();
        await this.#startTriages();
        await this.#claim();
        if (this.#running.size > 0) activity.note();
        return activity.pollMs;
      },
      onFailure: (error, inARow) => {
        if (inARow === 1) logger.warn({ err: error }, 'job claim failed');
      },
      onRecovery: () => logger.info('job claims resumed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Call after committing a job that is due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Whether the worker is polling: false if the store has been unreachable for a while. */
  isRunning(): boolean {
    return this.#loop.isHealthy();
  }

  /** Finishes the running steps, starts no others and releases the jobs. A repeated call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const stopped = this.#loop.stop();
    const breakOff = setTimeout(() => this.#interruption.abort(), LAST_STEP_MS);
    await stopped;
    await Promise.all(this.#running.values());
    clearTimeout(breakOff);
  }

  /**
   * Claims one job of each tenant in turn until `MAX_JOBS` run. Queries the store even at the limit: the query is the
   * health check of the loop.
   */
  async #claim(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const search = this.#search();
      const tenants = await listDueTenants(this.#parts.database.read, search);
      isMore = false;
      for (const tenantId of rotate(tenants, this.#lastTenant)) {
        if (this.#running.size >= MAX_JOBS || this.#loop.signal.aborted) return;
        const lease = { ...search, nodeId: this.#nodeId, endsAtMs: search.nowMs + LEASE_MS };
        const claimed = await this.#parts.database.transaction(
          (tx) => claimJob(tx, tenantId, lease),
          // If the commit succeeded but its response was lost, the extra claim ends with its lease.
          { idempotent: true },
        );
        if (!claimed) continue;
        this.#lastTenant = tenantId;
        this.#claimsEndAtMs = Math.min(this.#claimsEndAtMs, lease.endsAtMs);
        this.#start(claimed);
        isMore = true;
      }
    }
  }

  /** On SQLite this process is the only one on the file: any other holder of a lease was killed. */
  async #endOldLeases(): Promise<void> {
    const { database, clock } = this.#parts;
    if (this.#hasEndedOldLeases || database.engine !== 'sqlite') return;
    await database.transaction((tx) => jobQueueStore.endAllLeases(tx, clock.now()));
    this.#hasEndedOldLeases = true;
  }

  /** Renews the claims of the running jobs: a step may take longer than a lease. */
  async #renew(): Promise<void> {
    const nowMs = this.#parts.clock.now();
    if (this.#claimsEndAtMs - nowMs >= RENEW_BELOW_MS) return;
    const claims = [...this.#running.keys()];
    const endsAtMs = nowMs + LEASE_MS;
    await this.#parts.database.transaction((tx) => jobQueueStore.renewLeases(tx, claims, endsAtMs), {
      idempotent: true,
    });
    this.#claimsEndAtMs = claims.length === 0 ? Number.POSITIVE_INFINITY : endsAtMs;
  }

  #search(): jobQueueStore.DueSearch {
    return {
      workflowIds: this.#parts.workflows.map(({ id }) => id),
      nowMs: this.#parts.clock.now(),
    };
  }

  #start(claimed: ClaimedJob): void {
    const { database, clock, logger, workflows, turns, stepMs, observe = () => {} } = this.#parts;
    const work = runJob(claimed, {
      database,
      clock,
      logger,
      workflows,
      turns,
      stepMs,
      observe,
      leaseMs: LEASE_MS,
      stopping: this.#loop.signal,
      interruption: this.#interruption.signal,
    })
      .catch((error: unknown) =>
        logger.warn({ err: error, job: claimed.jobId }, 'job interrupted; it continues after its lease ends'),
      )
      .finally(() => {
        this.#running.delete(claimed);
        this.#loop.wake();
      });
    this.#running.set(claimed, work);
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
      // Requested jobs run regardless.
      if (!this.#isTriageFailing) logger.warn({ err: error }, 'automatic triage failed to start');
      this.#isTriageFailing = true;
    }
  }
}

/** Rotates the sorted tenants so that those after the last one come first. */
function rotate(tenants: readonly TenantId[], last: string): TenantId[] {
  return [
    ...tenants.filter((tenantId) => tenantId > last),
    ...tenants.filter((tenantId) => tenantId <= last),
  ];
}
