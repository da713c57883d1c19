import type { AgentClock } from '../ports/clock.ts';

/** A wait that a call to `wake` ends early. A call made while nothing waits ends the next wait. */
export class WakeSignal {
  readonly #clock: AgentClock;
  #isWoken = false;
  #endWait: (() => void) | undefined;

  constructor(clock: AgentClock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#isWoken = true;
    this.#endWait?.();
  }

  /** Discards a call to `wake` that no wait has consumed. */
  reset(): void {
    this.#isWoken = false;
  }

  /** Resolves after the time (without one, never) or on `wake`. Rejects with the signal's reason when it is aborted. */
  async wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#endWait = resolve;
    });
    const ended = new AbortController();
    const limit = AbortSignal.any([signal, ended.signal]);
    try {
      signal.throwIfAborted();
      if (!this.#isWoken) {
        await Promise.race([woken, this.#clock.sleep(ms ?? Number.MAX_SAFE_INTEGER, limit)]);
      }
      this.#isWoken = false;
    } finally {
      this.#endWait = undefined;
      ended.abort();
    }
  }
}
