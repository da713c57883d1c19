import type { Clock } from '@tps/server/store';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(nowMs = Date.UTC(2026, 0, 1)) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Moves the clock by so many milliseconds; a negative number turns it back. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }

  set(nowMs: number): void {
    this.#nowMs = nowMs;
  }
}
