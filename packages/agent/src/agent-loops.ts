import { WakeSignal } from './concurrency/wake-signal.ts';
import type { AgentClock } from './ports/clock.ts';
import type { DrainResult } from './upload/uploader.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REFRESH_EVERY_MS = 5 * MINUTE_MS;
const RECOVER_EVERY_MS = 5000;
const RETENTION_EVERY_MS = HOUR_MS;
/** How often the agent looks whether the credential is due, and tries again after a failure. */
const RENEWAL_EVERY_MS = HOUR_MS;

export interface AgentLoopsParts {
  readonly clock: AgentClock;
  readonly closing: AbortSignal;
  /** 0 for never. */
  readonly statusEveryHours: number;
  /** Whether policies of the tenant are cached. */
  readonly hasPolicies: boolean;
  readonly drain: () => Promise<DrainResult>;
  readonly refreshPolicies: () => Promise<unknown>;
  /** Whether indicators are cached. */
  readonly hasIndicators?: boolean;
  /** Undefined when the agent has no indicators. */
  readonly refreshIndicators?: () => Promise<unknown>;
  /** Undefined when the application brings the credential. */
  readonly renewCredential?: () => Promise<void>;
  readonly recover: () => Promise<void>;
  readonly removeExpired: () => Promise<void>;
  readonly recordStatus: () => Promise<void>;
}

/**
 * Runs the agent's background work: uploads, refreshes, recovery, retention and status events. Each wait starts when the
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
    const { hasPolicies, statusEveryHours, recover, removeExpired, recordStatus } = this.#parts;
    const { refreshPolicies, refreshIndicators, hasIndicators, renewCredential } = this.#parts;
    const statusMs = statusEveryHours * HOUR_MS;
    // Without a cache the first refresh is immediate. With one it is spread, so that a fleet that starts at once does not
    // ask at once.
    const firstMs = (has = false) => (has ? Math.random() * REFRESH_EVERY_MS : 0);
    const refreshEveryMs = () => REFRESH_EVERY_MS * (0.5 + Math.random());
    this.#ended = Promise.all([
      this.#upload(),
      this.#repeat(refreshPolicies, refreshEveryMs, firstMs(hasPolicies)),
      ...(refreshIndicators ? [this.#repeat(refreshIndicators, refreshEveryMs, firstMs(hasIndicators))] : []),
      ...(renewCredential ? [this.#repeat(renewCredential, () => RENEWAL_EVERY_MS, 0)] : []),
      this.#repeat(recover, () => RECOVER_EVERY_MS),
      this.#repeat(removeExpired, () => RETENTION_EVERY_MS, MINUTE_MS),
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
