import type { Clock } from '@tps/server/store';

/** A clock that stands still in the past while a population lives through it, and then shows the present. */
export class TravelClock implements Clock {
  #nowMs: number | undefined;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs ?? Date.now();
  }

  /** Moves forward. Does nothing for an earlier time, so that the service never sees time go back, or after `arrive`. */
  travelTo(nowMs: number): void {
    if (this.#nowMs !== undefined) this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  /** From here on the clock runs with the machine's. */
  arrive(): void {
    this.#nowMs = undefined;
  }
}
