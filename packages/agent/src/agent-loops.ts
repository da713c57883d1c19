import { WakeSignal } from './concurrency/wake-signal.ts';
import type { AgentClock } from './ports/clock.ts';
import type { DrainResult } from './upload/uploader.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const POLL_EVERY_MS = 5 * MINUTE_MS;
const RECOVER_EVERY_MS = 5000;
const RETENTION_EVERY_MS = HOUR_MS;
/** How often the agent looks whether the credential is due, and tries again after a failure. */
const RENEWAL_EVERY_MS = HOUR_MS;

export interface AgentLoopsParts {
  readonly clock: AgentClock;
  readonly closing: AbortSignal;
  /** 0 for never. */
  readonly statusEveryHours: number;
  readonly drain: () => Promise<DrainResult>;
  /** Whether everything that `pollUpdates` keeps up to date is cached. */
  readonly hasCopies: boolean;
  readonly pollUpdates: () => Promise<unknown>;
  /** Undefined when the application brings the credential. */
  readonly renewCredential?: () => Promise<void>;
  readonly recover: () => Promise<void>;
  readonly removeExpired: () => Promise<void>;
  readonly recordStatus: () => Promise<void>;
}

/**
 * Runs the agent's background work: uploads, polls, recovery, retention and status events. Each wait starts when the
 * task before it ended; the wall clock, which may jump, does not matter.
 */
export class AgentLoops {
  readonly #parts: AgentLoopsParts;
  readonly #wakeSignal: WakeSignal;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(parts: AgentLoopsParts) {
    this.#parts = parts;
    this.#wakeSignal = new WakeSignal(parts.clock);
  }

  start(): void {
    const { hasCopies, statusEveryHours, recover, removeExpired, recordStatus } = this.#parts;
    const { pollUpdates, renewCredential } = this.#parts;
    const statusMs = statusEveryHours * HOUR_MS;
    // Without copies the first poll is immediate. With them it is spread, so that a fleet that starts at once does not ask
    // at once.
    const firstPollMs = hasCopies ? Math.random() * POLL_EVERY_MS : 0;
    const pollEveryMs = () => POLL_EVERY_MS * (0.5 + Math.random());
    this.#ended = Promise.all([
      this.#upload(),
      this.#repeat(pollUpdates, pollEveryMs, firstPollMs),
      ...(renewCredential ? [this.#repeat(renewCredential, () => RENEWAL_EVERY_MS, 0)] : []),
      this.#repeat(recover, () => RECOVER_EVERY_MS),
      this.#repeat(removeExpired, () => RETENTION_EVERY_MS, 0),
      ...(statusMs > 0 ? [this.#repeat(recordStatus, () => statusMs)] : []),
    ]);
  }

  /** Starts an upload now, or right after the one in progress. */
  wakeUploader(): void {
    this.#wakeSignal.wake();
  }

  /** Resolves when all loops have ended, after `closing` is aborted. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  async #upload(): Promise<void> {
    const { drain, closing } = this.#parts;
    while (!closing.aborted) {
      const drained = await drain().catch((): DrainResult => ({ kind: 'waiting', afterMs: MINUTE_MS }));
      // Events recorded during the upload do not shorten the wait.
      if (drained.kind !== 'empty') this.#wakeSignal.reset();
      await this.#wakeSignal
        .wait(drained.kind === 'waiting' ? drained.afterMs : undefined, closing)
        .catch(() => {});
    }
  }

  async #repeat(task: () => Promise<unknown>, everyMs: () => number, firstMs = everyMs()): Promise<void> {
    const { clock, closing } = this.#parts;
    for (let waitMs = firstMs; !closing.aborted; waitMs = everyMs()) {
      await clock.sleep(waitMs, closing).catch(() => {});
      // A failed task runs again the next time; the health shows failures that persist.
      if (!closing.aborted) await task().catch(() => {});
    }
  }
}
