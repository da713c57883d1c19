/** Pause after a failed round. */
const BACK_OFF_MS = 500;
/** Without a successful round for this long a loop counts as down. */
const SILENT_MS = 15_000;

export interface PollingLoopOptions {
  /**
   * Does what is due. Resolves to the milliseconds until the next round, which `wake` cuts short. `stop` aborts the
   * signal; a round that takes long ends when it is aborted.
   */
  readonly round: (signal: AbortSignal) => Promise<number>;
  /** Pause before the first round. Default 0. */
  readonly firstAfterMs?: number;
  /** Pause after a failed round. Default 500. */
  readonly backOffMs?: number;
  /**
   * Whether the next round is the last one. Asked only after `stop`; rounds continue until it returns true. Without it no
   * round begins after `stop`.
   */
  readonly isLastRound?: () => boolean;
  /** Called after each failed round with the number of failures in a row. */
  readonly onFailure: (error: unknown, inARow: number) => void;
  /** Called after the first round that succeeds again. */
  readonly onRecovery?: () => void;
}

/**
 * Repeats a round of work, one at a time: after the pause that the round asks for, or as soon as it is woken. A failed
 * round is followed by a pause and the next one.
 */
export class PollingLoop {
  readonly #options: PollingLoopOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #failures = 0;
  #lastRoundAtMs = Number.NEGATIVE_INFINITY;
  #isWoken = false;
  #wakeSleeper: (() => void) | undefined;

  constructor(options: PollingLoopOptions) {
    this.#options = options;
  }

  /** Aborted once `stop` was called. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  start(): void {
    this.#lastRoundAtMs = performance.now();
    this.#running = this.#run();
  }

  /** Begins the next round without a pause. During a round, another one follows at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeSleeper?.();
  }

  /** Whether a round has succeeded within the last 15 s, or the loop was started in that time. */
  isHealthy(): boolean {
    return performance.now() - this.#lastRoundAtMs < SILENT_MS;
  }

  /** Resolves when the last round has ended. Safe to call again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { firstAfterMs = 0, isLastRound } = this.#options;
    if (firstAfterMs > 0) await this.#sleep(firstAfterMs);
    for (;;) {
      const isStopping = this.signal.aborted;
      if (isStopping && !isLastRound) return;
      const isLast = isStopping && isLastRound?.() === true;
      const pauseMs = await this.#round();
      if (isLast) return;
      await this.#sleep(pauseMs);
    }
  }

  async #round(): Promise<number> {
    const { round, backOffMs = BACK_OFF_MS, onFailure, onRecovery } = this.#options;
    try {
      const pauseMs = await round(this.signal);
      this.#lastRoundAtMs = performance.now();
      if (this.#failures > 0) onRecovery?.();
      this.#failures = 0;
      return pauseMs;
    } catch (error) {
      this.#failures += 1;
      onFailure(error, this.#failures);
      return backOffMs;
    }
  }

  /** Resolves when the loop is woken, or after `ms`. A wake that came since the last pause ends this one at once. */
  async #sleep(ms: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wakeSleeper = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wakeSleeper = undefined;
    }
    this.#isWoken = false;
  }
}
