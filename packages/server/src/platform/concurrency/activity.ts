/** Pause between two looks at the store: finds what other nodes have left, and what has become due. */
const POLL_MS = 500;
/** The same while nothing happens. A service without requests used 1.2 to 1.5 % of a core with half a second. */
const QUIET_POLL_MS = 5_000;
/** A service counts as quiet this long after the last request that may have changed something. */
const BUSY_MS = 10_000;

/** Decides how often background loops look for work, so that a service without requests does next to nothing. */
export class Activity {
  readonly #now: () => number;
  readonly #wakes: (() => void)[] = [];
  #busyUntilMs: number;

  constructor(now = () => performance.now()) {
    this.#now = now;
    this.#busyUntilMs = now() + BUSY_MS;
  }

  /** Call when something may have caused work, or when a loop has found some. After a quiet time it wakes the loops. */
  note(): void {
    const wasQuiet = this.#isQuiet();
    this.#busyUntilMs = this.#now() + BUSY_MS;
    if (wasQuiet) for (const wake of this.#wakes) wake();
  }

  /** Adds a loop that sleeps for `pollMs`. */
  add(wake: () => void): void {
    this.#wakes.push(wake);
  }

  /** How long a loop pauses that has found nothing. */
  get pollMs(): number {
    return this.#isQuiet() ? QUIET_POLL_MS : POLL_MS;
  }

  #isQuiet(): boolean {
    return this.#now() >= this.#busyUntilMs;
  }
}
