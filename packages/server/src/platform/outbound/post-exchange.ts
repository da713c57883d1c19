import type { Dispatcher } from 'undici';
import { Excerpt } from './excerpt.ts';
import { ABORTED, answerTimeout, type Failure, type Timeouts, toFailure } from './failure.ts';
import type { PostOutcome } from './outcome.ts';

/** How long reading the body may take once the status is known. It is read for diagnosis only. */
const BODY_MS = 1000;

export type PostExchangeOptions = {
  readonly timeouts: Timeouts;
  /** `isComplete`: the whole response has been read, so the connection can serve the next request. */
  readonly onSettled: (outcome: PostOutcome, isComplete: boolean) => void;
};

/**
 * One request and its response: receives undici's events and reports one outcome. The status decides as soon as the
 * head has arrived; the body may trickle, break off or never end.
 */
export class PostExchange implements Dispatcher.DispatchHandler {
  readonly #options: PostExchangeOptions;
  readonly #startedAtMs = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #head: { readonly status: number; readonly retryAfter: string | undefined } | undefined;
  readonly #excerpt = new Excerpt();
  #isSettled = false;

  constructor(options: PostExchangeOptions) {
    this.#options = options;
    const { timeouts } = options;
    // One timer of the same length for all requests costs a fraction of an AbortSignal each. Unlike undici's
    // headersTimeout it counts from the start and is not reset by 1xx responses.
    this.#timer = setTimeout(() => this.#settle(answerTimeout(timeouts)), timeouts.answerMs);
  }

  /** Ends the exchange in any state. */
  abort(): void {
    this.#settle(ABORTED);
  }

  /** Undici recognises its current handler interface by this method. */
  onRequestStart(): void {}

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 || this.#isSettled) return;
    const retryAfter = headers['retry-after'];
    this.#head = { status, retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter };
    const leftMs = this.#startedAtMs + this.#options.timeouts.answerMs - performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), Math.min(BODY_MS, Math.max(leftMs, 0)));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isSettled && !this.#excerpt.add(chunk)) this.#settle();
  }

  onResponseEnd(): void {
    this.#settle(undefined, true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(toFailure(error, this.#options.timeouts));
  }

  #settle(failure?: Failure, isComplete = false): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#options.onSettled(this.#toOutcome(failure), isComplete);
  }

  #toOutcome(failure: Failure | undefined): PostOutcome {
    const durationMs = Math.round(performance.now() - this.#startedAtMs);
    if (this.#head) return { kind: 'answered', ...this.#head, excerpt: this.#excerpt.toString(), durationMs };
    return { kind: 'failed', ...(failure ?? ABORTED), durationMs };
  }
}
