/** Work in steps: after each `yield`, other work can run before it continues. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Does all of the work at once. */
export function finish<Result>(work: Steps<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}
