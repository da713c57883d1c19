import { Waker } from './concurrency/wake-signal.ts';
import type { AgentClock } from './ports/clock.ts';
import type { DrainResult } from './upload/uploader.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REFRESH_EVERY_MS = 5 * MINUTE_MS;
const RECOVER_EVERY_MS = 5000;
const RETENTION_EVERY_MS = HOUR_MS;

export interface AgentLoopsParts {
  readonly clock: AgentClock;
  readonly closing: AbortSignal;
  /** 0 for never. */
  readonly statusEveryHours: number;
  /** Whether there are policies to decide by until the first refresh. */
  readonly hasPolicies: boolean;
  readonly drain: () => Promise<DrainResult>;
  readonly refreshPolicies: () => Promise<unknown>;
  readonly hasIndicators?: boolean;
  /** Left out when there are no indicators to keep. */
  readonly refreshIndicators?: () => Promise<unknown>;
  readonly recover: () => Promise<void>;
  readonly removeExpired: () => Promise<void>;
  readonly recordStatus: () => Promise<void>;
}

/**
 * Does by itself what is to be done again and again. Waits are measured from one time to the next and not by the wall
 * clock, which may jump.
 */
export class AgentLoops {
  readonly #parts: AgentLoopsParts;
  readonly #waker: Waker;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(parts: AgentLoopsParts) {
    this.#parts = parts;
    this.#waker = new Waker(parts.clock);
  }

  start(): void {
    const { hasPolicies, statusEveryHours, recover, removeExpired, recordStatus } = this.#parts;
    const { refreshPolicies, refreshIndicators, hasIndicators } = this.#parts;
    const statusMs = statusEveryHours * HOUR_MS;
    // A fleet that starts in one moment asks in one moment only if it has nothing to decide by.
    const firstMs = (has = false) => (has ? Math.random() * REFRESH_EVERY_MS : 0);
    const refreshEveryMs = () => REFRESH_EVERY_MS * (0.5 + Math.random());
    this.#ended = Promise.all([
      this.#upload(),
      this.#repeat(refreshPolicies, refreshEveryMs, firstMs(hasPolicies)),
      ...(refreshIndicators ? [this.#repeat(refreshIndicators, refreshEveryMs, firstMs(hasIndicators))] : []),
      this.#repeat(recover, () => RECOVER_EVERY_MS),
      this.#repeat(removeExpired, () => RETENTION_EVERY_MS, MINUTE_MS),
      ...(statusMs > 0 ? [this.#repeat(recordStatus, () => statusMs)] : []),
    ]);
  }

  /** Has the uploader look now, or at once when it is done with what it is at. */
  wakeUploader(): void {
    this.#waker.wake();
  }

  /** Resolves once nothing runs any more, after `closing`. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  async #upload(): Promise<void> {
    const { drain, closing } = this.#parts;
    while (!closing.aborted) {
      const drained = await drain().catch((): DrainResult => ({ kind: 'waiting', afterMs: MINUTE_MS }));
      // Events that were recorded meanwhile are no reason to try sooner.
      if (drained.kind !== 'empty') this.#waker.forget();
      await this.#waker
        .wait(drained.kind === 'waiting' ? drained.afterMs : undefined, closing)
        .catch(() => {});
    }
  }

  async #repeat(task: () => Promise<unknown>, everyMs: () => number, firstMs = everyMs()): Promise<void> {
    const { clock, closing } = this.#parts;
    for (let waitMs = firstMs; !closing.aborted; waitMs = everyMs()) {
      await clock.sleep(waitMs, closing).catch(() => {});
      // What fails now is tried again the next time; the health shows what lasts.
      if (!closing.aborted) await task().catch(() => {});
    }
  }
}
