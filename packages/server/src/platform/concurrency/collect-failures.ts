import { setImmediate } from 'node:timers/promises';

/** Enough to read. Further failures usually have the same cause. */
const MAX_KEPT = 20;

/**
 * Runs several pieces of work so that one failure does not stop the others. Yields to the event loop before each:
 * on SQLite, whole transactions run without yielding.
 */
export class FailureCollector {
  readonly #signal: AbortSignal | undefined;
  readonly #assertUsable: () => Promise<unknown>;
  readonly #failures: Error[] = [];
  #failed = 0;

  /** @param assertUsable is called after a failure; rejects when continuing is pointless */
  constructor({
    signal,
    assertUsable,
  }: { signal?: AbortSignal | undefined; assertUsable: () => Promise<unknown> }) {
    this.#signal = signal;
    this.#assertUsable = assertUsable;
  }

  /**
   * Runs one piece of work. Returns undefined if it failed.
   *
   * @throws the signal's reason when it is aborted, AggregateError when continuing is pointless
   */
  async run<R>(name: string, work: () => Promise<R>): Promise<R | undefined> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      this.#signal?.throwIfAborted();
      this.#keep(name, error);
      await this.#assertUsable().catch(() => this.throwIfAny());
      return undefined;
    }
  }

  /** @throws AggregateError of the failures; each error names its piece and has the original error as its cause */
  throwIfAny(): void {
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
