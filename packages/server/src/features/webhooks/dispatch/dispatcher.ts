import { randomUUID } from 'node:crypto';
import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { Activity } from '../../../platform/concurrency/activity.ts';
import { PollingLoop } from '../../../platform/concurrency/polling-loop.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { toTimestamp } from '../../../platform/time.ts';
import { NO_TRACER, type Span, type Tracer } from '../../../platform/tracing/tracer.ts';
import { advanceCircuits } from '../circuit/advance-circuits.ts';
import type { Circuit } from '../circuit/circuit.ts';
import * as circuitStore from '../circuit/circuit-store.ts';
import { advanceRecoveries } from '../deliveries/recover-missed.ts';
import { webhookKeyOf } from '../webhook.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { claimDue, endAllLeases, listDue, release } from './claim-store.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { recordAttempts } from './record-attempts.ts';
import { type RequestOrigins, toOriginHeaders } from './request-origins.ts';
import { nextStep } from './retry-policy.ts';
import { WebhookQueues } from './webhook-queues.ts';

/**
 * How long a claim is valid: long enough for two attempts in a row, so that deliveries waiting for the second are
 * safe.
 */
const LEASE_MS = 30_000;
/** Maximum duration of an attempt: 3 s to connect, 10 s for the response, 1 s to record it. */
const ATTEMPT_MS = 14_000;
/**
 * Attempts are recorded together: this many, or those that end within this time. Recording each one separately took
 * a flush each: 1 300 deliveries a second to one receiver on SQLite, and 500 µs of processor time each. A crash
 * repeats what was not recorded.
 */
const MAX_UNRECORDED = 128;
const RECORDED_WITHIN_MS = 20;
/** Attempts still under way this long after the stop began are aborted, and made again later. */
const LAST_ANSWERS_MS = 2_000;

/** An attempt, for the metrics. */
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
  /** Fallback for wake-ups: how often it looks for deliveries that other nodes have stored or left. */
  readonly activity?: Activity;
  /** The requests that brought the events. */
  readonly origins?: RequestOrigins;
  readonly tracer?: Tracer;
}

/**
 * Delivers what is due in the store: claims rows with a lease, sends them in parallel, records the outcomes. One
 * loop does all work on the store, in one transaction per round: it records the attempts since the last round, and
 * claims as many deliveries as there is capacity for. Any number of nodes can do this on one PostgreSQL database.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #nodeId = randomUUID();
  readonly #queues = new WebhookQueues();
  readonly #loop: PollingLoop;
  readonly #activity: Activity;
  #attempts: DeliveryAttempt[] = [];
  /** Not attempted, or aborted by the stop: whether those arrived is unknown. */
  #toRelease: ClaimedDelivery[] = [];
  #stopping: Promise<void> | undefined;
  #isBreakingOff = false;
  #hasEndedOldLeases = false;
  #recording: NodeJS.Timeout | undefined;
  #polledAtMs = Number.NEGATIVE_INFINITY;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    const { logger, activity = new Activity() } = parts;
    this.#activity = activity;
    activity.add(() => this.#loop.wake());
    this.#loop = new PollingLoop({
      round: () => this.#pollAndRound(),
      // Ends when nothing is under way any more, with one round that records the last attempts.
      isLastRound: () => this.#queues.underWay === 0,
      onFailure: (error, inARow) => {
        if (inARow > 1) return;
        logger.warn({ err: error }, 'webhook delivery interrupted');
      },
      onRecovery: () => logger.info('webhook delivery resumed'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  /** Signals that deliveries to these webhooks were committed. */
  wake(tenantId: TenantId, webhookIds: readonly string[]): void {
    if (webhookIds.length === 0) return;
    for (const webhookId of webhookIds) this.#queues.markDue({ tenantId, webhookId });
    this.#loop.wake();
  }

  /** Polls soon for all due deliveries. */
  pollNow(): void {
    this.#polledAtMs = Number.NEGATIVE_INFINITY;
    this.#loop.wake();
  }

  /** Whether deliveries are made: false when the store has been unreachable for a while. */
  isRunning(): boolean {
    return this.#loop.isHealthy();
  }

  /** Starts no more attempts, records those under way, and releases the claims. Repeated calls wait for the first. */
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
      await this.#endOldLeases();
      if (!this.#stopping) await this.#poll();
      await this.#round();
      return this.#idleMs();
    } catch (error) {
      // Poll again after a failure: a round without a query must not count as a sign of life.
      // Unrecorded attempts are delivered again after their lease has ended: nothing is lost.
      this.#polledAtMs = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** On SQLite this process is the only one on the file: any other holder of a lease was killed. */
  async #endOldLeases(): Promise<void> {
    const { database, clock } = this.#parts;
    if (this.#hasEndedOldLeases || database.engine !== 'sqlite') return;
    await database.transaction((tx) => endAllLeases(tx, clock.now()));
    this.#hasEndedOldLeases = true;
  }

  /** How long the loop can sleep unless the signal wakes it. */
  #idleMs(): number {
    // No polling while stopping; each attempt that ends sets the signal.
    if (this.#stopping) return this.#activity.pollMs;
    const untilPollMs = this.#polledAtMs + this.#activity.pollMs - performance.now();
    const untilRetryMs = this.#queues.nextRetryAtMs() - this.#parts.clock.now();
    // A due delivery had no capacity in the round just made: do not retry at once.
    return Math.max(0, Math.min(untilPollMs, Math.max(untilRetryMs, RECORDED_WITHIN_MS)));
  }

  async #poll(): Promise<void> {
    const { database, clock, secrets, logger } = this.#parts;
    if (performance.now() - this.#polledAtMs < this.#activity.pollMs) return;
    this.#polledAtMs = performance.now();
    const due = await listDue(database.read, { nowMs: clock.now(), secrets });
    if (due.length > 0) this.#activity.note();
    for (const { lastStatus, ...key } of due) this.#queues.markDue(key, lastStatus);
    for (const key of await advanceCircuits({ database, clock, logger })) this.#queues.markDue(key);
    for (const { tenantId, webhookId } of await advanceRecoveries({ database, clock, logger })) {
      this.#queues.markDue({ tenantId, webhookId });
      // There may be more than one step to do.
      this.#polledAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  /** Records, releases and claims in one transaction, and starts what was claimed. */
  async #round(): Promise<void> {
    const { database, clock, secrets } = this.#parts;
    const nowMs = clock.now();
    this.#queues.markSlow(performance.now());
    const attempts = this.#attempts.splice(0);
    const neededUntilMs = this.#stopping ? Number.POSITIVE_INFINITY : nowMs + ATTEMPT_MS;
    const released = [...this.#toRelease.splice(0), ...this.#queues.takeUnused(neededUntilMs)];
    const candidates = this.#stopping ? [] : this.#queues.chooseCandidates(nowMs);
    if (attempts.length + released.length + candidates.length === 0) return;
    let opened: Circuit[] = [];
    const lease = { nodeId: this.#nodeId, nowMs, endsAtMs: nowMs + LEASE_MS, secrets };
    try {
      const claimed = await database.transaction(
        async (tx) => {
          opened = await recordAttempts(tx, attempts);
          for (const delivery of released) await release(tx, delivery, nowMs);
          return candidates.length === 0 ? [] : await claimDue(tx, candidates, lease);
        },
        // Recording an attempt twice changes nothing; a lost claim ends with its lease.
        { idempotent: true },
      );
      this.#queues.addClaimed(candidates, claimed);
      this.#begin();
    } catch (error) {
      this.#attempts.unshift(...attempts);
      this.#toRelease.unshift(...released);
      for (const candidate of candidates) this.#queues.markDue(candidate);
      throw error;
    }
    await this.#follow(opened, attempts);
  }

  /** After the attempts were recorded: reports receivers that stopped responding, and probes those that are back. */
  async #follow(opened: readonly Circuit[], attempts: readonly DeliveryAttempt[]): Promise<void> {
    const { database, clock, logger } = this.#parts;
    for (const { tenantId, webhookId, dueAtMs } of opened) {
      logger.warn(
        { tenantId, webhookId, nextProbeAt: toTimestamp(dueAtMs) },
        'webhook does not respond: its receiver is probed until it does',
      );
    }
    const answering = attempts
      .filter(({ delivery, nextStep }) => nextStep.kind === 'delivered' && delivery.isCircuitOpen)
      .map(({ delivery }) => delivery);
    if (answering.length === 0) return;
    const byKey = new Map(answering.map((delivery) => [webhookKeyOf(delivery), delivery]));
    await database.transaction((tx) => circuitStore.probeNow(tx, [...byKey.values()], clock.now()));
    this.#polledAtMs = Number.NEGATIVE_INFINITY;
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
    const outcome = await this.#post(delivery, client);
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
      isSilenced: next.kind === 'failed' && !delivery.isTest && next.silentUntilMs !== undefined,
    });
    if (isBrokenOff) this.#toRelease.push(delivery);
    else {
      this.#attempts.push({ delivery, outcome, nextStep: next, atMs });
      observe({ outcome: next.kind, seconds: outcome.durationMs / 1000 });
    }
    this.#begin();
    if (isShort || this.#stopping || this.#attempts.length >= MAX_UNRECORDED) this.#loop.wake();
    else this.#recordSoon();
  }

  async #post(delivery: ClaimedDelivery, client: OutboundClient): Promise<PostOutcome> {
    const { clock, origins, tracer = NO_TRACER } = this.#parts;
    const origin = origins?.find(delivery.tenantId, delivery.eventId);
    const attributes = { 'tps.webhook.id': delivery.webhookId, 'tps.webhook.attempt': delivery.attempts + 1 };
    const span = tracer.start('deliver to webhook', { kind: 'client', parent: origin?.trace, attributes });
    const headers = toOriginHeaders(span.context, origin);
    const outcome = await attemptDelivery(delivery, { client, nowMs: clock.now(), origin: headers });
    span.end(toSpanEnd(outcome));
    return outcome;
  }

  #recordSoon(): void {
    this.#recording ??= setTimeout(() => {
      this.#recording = undefined;
      this.#loop.wake();
    }, RECORDED_WITHIN_MS);
  }
}

function toSpanEnd(outcome: PostOutcome): Parameters<Span['end']>[0] {
  if (outcome.kind === 'failed') return { error: outcome.reason };
  const { status } = outcome;
  const attributes = { 'http.request.method': 'POST', 'http.response.status_code': status };
  return { attributes, error: status >= 300 ? String(status) : undefined };
}
