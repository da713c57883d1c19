/** How long work may run in one turn of the event loop. Longer turns would delay every other request. */
const TURN_MS = 5;

/** Work in steps: after each `yield`, other work can run before it continues. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** One step of some work. Returns whether the work is complete. Does not throw. */
type Step = () => boolean;

/**
 * Runs computations of many tenants on the one thread that serves them all. In each turn of the event loop they run for
 * 5 ms in total; what is left continues in the next turn, one step of each tenant after the other. While there is time
 * in the present turn, work runs immediately.
 *
 * A single step cannot be interrupted, so it must be bounded: one text, one body of limited structure.
 */
export class FairTurns {
  readonly #turnMs: number;
  /** Waiting work by tenant, in the order of their turns. No list is empty. */
  readonly #waiting = new Map<string, Step[]>();
  /** When the time of this turn is used up. Undefined before the first work of a turn. */
  #turnEndsAtMs: number | undefined;

  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs;
  }

  /** Runs the work as one step and returns its result. */
  run<Result>(tenantId: string, work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#submit(tenantId, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
        return true;
      });
    });
  }

  /** Runs the work on each item, one step each, and returns the results in order. The first error ends it. */
  runEach<Item, Result>(
    tenantId: string,
    items: readonly Item[],
    work: (item: Item, index: number) => Result,
  ): Promise<Result[]> {
    return this.runSteps(tenantId, oneByOne(items, work));
  }

  /** Runs work that pauses after each of its steps. Returns its result. */
  runSteps<Result>(tenantId: string, work: Steps<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#submit(tenantId, () => {
        try {
          const { done, value } = work.next();
          if (done) resolve(value);
          return done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      });
    });
  }

  #submit(tenantId: string, step: Step): void {
    while (this.#waiting.size === 0 && this.#hasTime()) {
      if (step()) return;
    }
    const own = this.#waiting.get(tenantId);
    if (own) own.push(step);
    else this.#waiting.set(tenantId, [step]);
  }

  /** Whether this turn has time left. Work waits only after a turn has begun, so the end of that turn is scheduled. */
  #hasTime(): boolean {
    const nowMs = performance.now();
    if (this.#turnEndsAtMs === undefined) {
      this.#turnEndsAtMs = nowMs + this.#turnMs;
      setImmediate(() => this.#nextTurn());
      return true;
    }
    return nowMs < this.#turnEndsAtMs;
  }

  #nextTurn(): void {
    this.#turnEndsAtMs = undefined;
    for (let [next] = this.#waiting; next && this.#hasTime(); [next] = this.#waiting) {
      const [tenantId, steps] = next;
      // Its tenant is last in line for the next step.
      this.#waiting.delete(tenantId);
      const step = steps[0] as Step;
      if (step()) steps.shift();
      if (steps.length > 0) this.#waiting.set(tenantId, steps);
    }
  }
}

function* oneByOne<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0) yield;
    results.push(work(item, index));
  }
  return results;
}
