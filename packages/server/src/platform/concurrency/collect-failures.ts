import { setImmediate } from 'node:timers/promises';

/** As many as one cares to read. The others have the same cause. */
const MAX_KEPT = 20;

/**
 * Does pieces of work of which one that fails keeps none of the others back. The event loop has a turn before each: on SQLite
 * whole transactions pass without one.
 */
export class Attempts {
  readonly #signal: AbortSignal | undefined;
  readonly #requireUse: () => Promise<unknown>;
  readonly #failures: Error[] = [];
  #failed = 0;

  /** @param requireUse rejects, after a piece has failed, when it is of no use to go on with the next. */
  constructor({
    signal,
    requireUse,
  }: { signal?: AbortSignal | undefined; requireUse: () => Promise<unknown> }) {
    this.#signal = signal;
    this.#requireUse = requireUse;
  }

  /**
   * Does a piece of work, and gives undefined when it has failed.
   *
   * @throws the signal's reason when it is aborted, AggregateError when it is of no use to go on
   */
  async attempt<R>(name: string, work: () => Promise<R>): Promise<R | undefined> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      this.#signal?.throwIfAborted();
      this.#keep(name, error);
      await this.#requireUse().catch(() => this.end());
      return undefined;
    }
  }

  /** @throws AggregateError of what has failed; each error names its piece and has what it threw as its cause */
  end(): void {
    if (this.#failed === 0) return;
    const reasons = this.#failures.map(({ message, cause }) => `${message}: ${messageOf(cause)}`);
    throw new AggregateError(this.#failures, `${this.#failed} failed: ${reasons.join('; ')}`);
  }

  #keep(name: string, error: unknown): void {
    const causes = error instanceof AggregateError ? error.errors : [error];
    this.#failed += causes.length;
    for (const cause of causes.slice(0, MAX_KEPT - this.#failures.length)) {
      this.#failures.push(new Error(name, { cause }));
    }
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${messageOf(error.cause)}`;
}
