import type { AgentClock } from '../ports/clock.ts';

/** Waits for a time to pass or for somebody to call. A call while nobody waits is not lost. */
export class Waker {
  readonly #clock: AgentClock;
  #isCalled = false;
  #answer: (() => void) | undefined;

  constructor(clock: AgentClock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#isCalled = true;
    this.#answer?.();
  }

  /** Forgets a call that nobody waited for. */
  forget(): void {
    this.#isCalled = false;
  }

  /** Resolves after that time (never, without one) or a call. Rejects with the reason of the signal. */
  async wait(ms: number | undefined, signal: AbortSignal): Promise<void> {
    const called = new Promise<void>((resolve) => {
      this.#answer = resolve;
    });
    const ended = new AbortController();
    const limit = AbortSignal.any([signal, ended.signal]);
    try {
      signal.throwIfAborted();
      if (!this.#isCalled)
        await Promise.race([called, this.#clock.sleep(ms ?? Number.MAX_SAFE_INTEGER, limit)]);
      this.#isCalled = false;
    } finally {
      this.#answer = undefined;
      ended.abort();
    }
  }
}
