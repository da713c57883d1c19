import { randomUUID } from 'node:crypto';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { advanceRecoveries } from '../deliveries/recover-missed.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDue, endAllLeases, listDue, release } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { recordAttempts } from './record-attempts.ts';
import { nextStep } from './retry-policy.ts';
import { WebhookQueues } from './webhook-queues.ts';

/** How long a claim holds. Two attempts fit in, one after the other, and what waited for the second is still safe. */
const LEASE_MS = 30_000;
/** What an attempt may take: 3 s to connect, 10 s for the answer, 1 s to write that down. */
const ATTEMPT_MS = 14_000;
/** The net under the wakes: finds what other nodes have stored, and what a node that is no more has claimed. */
const POLL_MS = 500;
/**
 * Attempts are recorded together: so many, or as many as end within so long. Recording each by itself took a flush each:
 * 1 300 deliveries a second to one receiver on SQLite, and 500 µs of processor time for each.
 */
const RECORDED_AT_ONCE = 128;
const RECORDED_WITHIN_MS = 5;
/** What is still under way this long after the service began to stop is broken off, and attempted again later. */
const LAST_ANSWERS_MS = 2_000;

/** What was attempted, for the metrics. */
export interface ObservedAttempt {
  readonly outcome: 'delivered' | 'retry' | 'failed';
  readonly seconds: number;
}

interface DispatcherParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly client: OutboundClient;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly observe: (attempt: ObservedAttempt) => void;
}

/**
 * Delivers what the store holds due: claims rows with a lease, sends them side by side, records how it went. One loop
 * does all that touches the store, in one transaction a round: what has been attempted since the last one is recorded,
 * and what there is room for is claimed. Any number of nodes may do this on one PostgreSQL.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #nodeId = randomUUID();
  readonly #queues = new WebhookQueues();
  readonly #loop: PollingLoop;
  #attempts: DeliveryAttempt[] = [];
  /** Broken off by stopping: whether it arrived is not known. */
  #brokenOff: ClaimedDelivery[] = [];
  #stopping: Promise<void> | undefined;
  #isBreakingOff = false;
  #recording: NodeJS.Timeout | undefined;
  #polledAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    const { logger } = parts;
    this.#loop = new PollingLoop({
      round: () => this.#pollAndRound(),
      // Ends when nothing is under way any more, with one round that records the last attempts.
      isLastRound: () => this.#queues.underWay === 0,
      onFailure: (error, inARow) => {
        if (inARow > 1) return;
        logger.warn({ err: error }, 'webhook deliveries could not be claimed or recorded');
      },
      onRecovery: () => logger.info('webhook delivery resumed'),
    });
  }

  async start(): Promise<void> {
    const { database, clock } = this.#parts;
    // This process is the only one on the file: whoever holds a lease there was killed.
    if (database.engine === 'sqlite') await database.transaction((tx) => endAllLeases(tx, clock.now()));
    this.#loop.start();
  }

  /** Tells that deliveries to these webhooks have been committed. */
  wake(tenantId: TenantId, webhookIds: readonly string[]): void {
    if (webhookIds.length === 0) return;
    for (const webhookId of webhookIds) this.#queues.markDue({ tenantId, webhookId });
    this.#loop.wake();
  }

  /** Looks soon at what is due anywhere. */
  pollNow(): void {
    this.#polledAtMs = Number.NEGATIVE_INFINITY;
    this.#loop.wake();
  }

  /** Whether deliveries are being made: false when the store has not been reached for a while. */
  isRunning(): boolean {
    return this.#loop.isHealthy();
  }

  /** Begins nothing more, records what is under way, and gives back what was claimed. A repeat waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const stopped = this.#loop.stop();
    const breakOff = setTimeout(() => {
      this.#isBreakingOff = true;
      void this.#parts.client.close();
    }, LAST_ANSWERS_MS);
    await stopped;
    clearTimeout(breakOff);
    await this.#parts.client.close();
  }

  async #pollAndRound(): Promise<number> {
    try {
      if (!this.#stopping) await this.#poll();
      await this.#round();
      return this.#idleMs();
    } catch (error) {
      // A poll that failed does not count: a round that asks nothing of the store must not pass for a sign of life.
      // What was not recorded is delivered again when its lease has ended: nothing is lost.
      this.#polledAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** How long nothing needs to be done, unless the signal says otherwise. */
  #idleMs(): number {
    // There is no poll any more; each attempt that ends sets the signal.
    if (this.#stopping) return POLL_MS;
    const untilPollMs = this.#polledAtMs + POLL_MS - performance.now();
    const untilRetryMs = this.#queues.nextRetryAtMs() - this.#parts.clock.now();
    // One that is due already has found no room in the round just made: not at once again.
    return Math.max(0, Math.min(untilPollMs, Math.max(untilRetryMs, RECORDED_WITHIN_MS)));
  }

  async #poll(): Promise<void> {
    const { database, clock, secrets, logger } = this.#parts;
    if (performance.now() - this.#polledAtMs < POLL_MS) return;
    this.#polledAtMs = performance.now();
    const due = await listDue(database.read, { nowMs: clock.now(), secrets });
    for (const { lastStatus, ...key } of due) this.#queues.markDue(key, lastStatus);
    for (const { tenantId, webhookId } of await advanceRecoveries({ database, clock, logger })) {
      this.#queues.markDue({ tenantId, webhookId });
      // There may be more of it to do than one step.
      this.#polledAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** Records, gives back and claims in one transaction, and begins what was claimed. */
  async #round(): Promise<void> {
    const { database, clock, secrets } = this.#parts;
    const nowMs = clock.now();
    this.#queues.markSlow(performance.now());
    const attempts = this.#attempts.splice(0);
    const brokenOff = this.#brokenOff.splice(0);
    const unused = this.#queues.takeExpiring(this.#stopping ? Number.POSITIVE_INFINITY : nowMs + ATTEMPT_MS);
    const candidates = this.#stopping ? [] : this.#queues.chooseCandidates(nowMs);
    if (attempts.length + brokenOff.length + unused.length + candidates.length === 0) return;
    const lease = { nodeId: this.#nodeId, nowMs, endsAtMs: nowMs + LEASE_MS, secrets };
    try {
      const claimed = await database.transaction(
        async (tx) => {
          await recordAttempts(tx, attempts);
          for (const delivery of [...brokenOff, ...unused]) await release(tx, delivery, nowMs);
          return candidates.length === 0 ? [] : await claimDue(tx, candidates, lease);
        },
        // Recording again what is recorded changes nothing; a claim that got lost ends with its lease.
        { idempotent: true },
      );
      this.#queues.addClaimed(candidates, claimed);
      this.#begin();
    } catch (error) {
      this.#attempts.unshift(...attempts);
      this.#brokenOff.unshift(...brokenOff);
      for (const candidate of candidates) this.#queues.markDue(candidate);
      throw error;
    }
  }

  #begin(): void {
    while (!this.#stopping) {
      const delivery = this.#queues.next(performance.now());
      if (!delivery) return;
      void this.#attempt(delivery);
    }
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    const { client, clock, observe } = this.#parts;
    const outcome = await attemptDelivery(delivery, { client, nowMs: clock.now() });
    const atMs = clock.now();
    const isBrokenOff = this.#isBreakingOff && outcome.kind === 'failed';
    const next = nextStep(outcome, {
      attempts: delivery.attempts + 1,
      isTest: delivery.isTest,
      nowMs: atMs,
      random: Math.random(),
    });
    const isShort = this.#queues.complete(delivery, {
      isSuccess: next.kind === 'delivered',
      durationMs: outcome.durationMs,
      retryAtMs: next.kind === 'retry' ? atMs + next.delayMs : undefined,
    });
    if (isBrokenOff) this.#brokenOff.push(delivery);
    else {
      this.#attempts.push({ delivery, outcome, nextStep: next, atMs });
      observe({ outcome: next.kind, seconds: outcome.durationMs / 1000 });
    }
    this.#begin();
    if (isShort || this.#stopping || this.#attempts.length >= RECORDED_AT_ONCE) this.#loop.wake();
    else this.#recordSoon();
  }

  #recordSoon(): void {
    this.#recording ??= setTimeout(() => {
      this.#recording = undefined;
      this.#loop.wake();
    }, RECORDED_WITHIN_MS);
  }
}
