import type { Event } from '@tps/contract';
import type { ServiceClock } from '../clock/service-clock.ts';

import type { DeviceKey } from '../ports/keys.ts';
import type { AgentTransport } from '../ports/transport.ts';
import type { EventStore, LocalEvent, UploadResult } from '../store/event-store.ts';
import { backOffMs, type FollowUp, type Retry, type Stop, toFollowUp } from './follow-up.ts';

const MAX_EVENTS = 500;
/** With the envelope the request stays below 1 MiB. */
const MAX_BYTES = 1_000_000;
/** The service accepts timestamps up to 5 minutes ahead; one minute is reserved for transit and drift. */
const TOLERATED_AHEAD_MS = 4 * 60_000;
/** A sealed event that is further ahead would block all others, so it is sent, refused and reported. */
const HOPELESS_AHEAD_MS = 24 * 3_600_000;
const NOT_DUE_WAIT_MS = 60_000;
const RESUMED_WAIT_MS = 10_000;

/** The key to sign with, or why no key can be used now. */
export type KeyForUpload =
  | { readonly kind: 'key'; readonly key: DeviceKey }
  | ({ readonly kind: 'retry' } & Retry)
  | ({ readonly kind: 'stop' } & Stop);

export interface UploaderParts {
  readonly store: EventStore;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Runs a step so that nothing conflicting, such as a key rotation, runs at the same time. */
  readonly exclusively: <Result>(task: () => Promise<Result>) => Promise<Result>;
  readonly keyForUpload: (signal: AbortSignal) => Promise<KeyForUpload>;
  /** After this is aborted, no further request is sent. */
  readonly closing: AbortSignal;
  /** After this is aborted, the request in flight is cancelled. */
  readonly cancelled: AbortSignal;
  /** Called with the events that the service will never accept. */
  readonly onEventsRefused: (refused: readonly UploadResult[]) => void;
  /** Called when the service refuses the upload, which is then retried. `isNew`: the first refusal, or one for another reason. */
  readonly onUploadRefused: (reason: string, isNew: boolean) => void;
  readonly onStopped: (reason: string) => void;
}

/** Why `drain` returned. */
export type DrainResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'waiting'; readonly afterMs: number }
  | { readonly kind: 'stopped' };

type Step = DrainResult | { readonly kind: 'again' };

/** How uploading is going, for `health()`. */
export interface UploadState {
  /** `stopped`: the device is revoked. `resume` or a restart starts uploading again. */
  readonly state: 'idle' | 'sending' | 'backing_off' | 'stopped';
  /** Why it backs off or has stopped, in one sentence. */
  readonly reason: string | undefined;
  /** The error code with which the service refuses uploads; undefined while it accepts them. */
  readonly refusal: string | undefined;
  /** Requests sent since the start. */
  readonly attempts: number;
  /** Events archived by the service since the start. */
  readonly delivered: number;
  /** RFC 3339; undefined unless it backs off. */
  readonly nextAttemptAt: string | undefined;
}

/** Sends stored events to the service, one request at a time. */
export class Uploader {
  readonly #parts: UploaderParts;
  #running: Promise<DrainResult> | undefined;
  #state: UploadState['state'] = 'idle';
  #reason: string | undefined;
  #refusal: string | undefined;
  /** The last refusal that was reported; undefined once an upload succeeds. */
  #reported: string | undefined;
  #attempts = 0;
  #delivered = 0;
  #failures = 0;
  #limit = MAX_EVENTS;
  #isSigningAgain = false;
  /** Between these times, by the device's clock, the service asked for no requests (`Retry-After`). */
  #silence = { fromMs: 0, untilMs: 0 };
  #nextAttemptMs: number | undefined;

  constructor(parts: UploaderParts) {
    this.#parts = parts;
  }

  /** Sends until nothing is left to send, or until it has to wait or stop. A second call joins the first. */
  drain(): Promise<DrainResult> {
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Starts again after `stopped`, and drops any pending wait. */
  resume(): void {
    this.#succeed('idle');
    this.#silence = { fromMs: 0, untilMs: 0 };
  }

  get state(): UploadState {
    return {
      state: this.#state,
      reason: this.#reason,
      refusal: this.#refusal,
      attempts: this.#attempts,
      delivered: this.#delivered,
      nextAttemptAt:
        this.#nextAttemptMs === undefined ? undefined : new Date(this.#nextAttemptMs).toISOString(),
    };
  }

  async #drain(): Promise<DrainResult> {
    for (;;) {
      if (this.#state === 'stopped') return { kind: 'stopped' };
      const step = await this.#parts.exclusively(() => this.#guardedStep());
      if (step.kind !== 'again') return step;
    }
  }

  /** The store and the keys can be unavailable for a while, just like the network. */
  async #guardedStep(): Promise<Step> {
    try {
      return await this.#step();
    } catch (error) {
      return this.#backOff({ reason: (error as Error).message, retryAfterMs: undefined });
    }
  }

  async #step(): Promise<Step> {
    const { store, closing, cancelled, keyForUpload } = this.#parts;
    const silentMs = this.#silentForMs();
    if (closing.aborted || silentMs > 0) return { kind: 'waiting', afterMs: silentMs };
    if (store.state().waiting === 0) return this.#rest();
    const found = await keyForUpload(cancelled);
    if (found.kind === 'retry') return this.#backOff(found);
    if (found.kind === 'stop') return this.#stop(found);
    const batch = await store.seal({
      maxEvents: MAX_EVENTS,
      maxBytes: MAX_BYTES,
      isDue: (event) => this.#aheadMs(event) <= TOLERATED_AHEAD_MS,
    });
    const events = this.#sendable(batch?.events ?? []);
    if (events.length > 0) return this.#send(events, found.key);
    this.#succeed('idle');
    return { kind: 'waiting', afterMs: NOT_DUE_WAIT_MS };
  }

  #rest(): Step {
    this.#succeed('idle');
    return { kind: 'empty' };
  }

  async #send(events: readonly Event[], key: DeviceKey): Promise<Step> {
    this.#state = 'sending';
    this.#attempts += 1;
    const { transport, cancelled, serviceClock } = this.#parts;
    const upload = { events, key, signedAtMs: serviceClock.nowMs() };
    const outcome = await transport.sendEvents(upload, cancelled);
    if (cancelled.aborted && outcome.kind === 'unreachable') return { kind: 'waiting', afterMs: 0 };
    const wasMisdated = serviceClock.note(outcome);
    // On a slow link a smaller request may get through in time.
    if (outcome.kind === 'unreachable') this.#limit = Math.max(1, Math.floor(events.length / 2));
    return this.#apply(toFollowUp(outcome, events, wasMisdated), events.length);
  }

  async #apply(followUp: FollowUp, sent: number): Promise<Step> {
    switch (followUp.kind) {
      case 'settle':
        return this.#settle(followUp);
      case 'split':
        this.#limit = Math.max(1, Math.floor(sent / 2));
        return { kind: 'again' };
      case 'sign_again':
        return this.#signAgain();
      case 'retry':
        return this.#backOff(followUp);
      case 'stop':
        return this.#stop(followUp);
    }
  }

  /** Twice in a row means two clocks behind one address: a signature cannot satisfy both. */
  #signAgain(): Step {
    if (this.#isSigningAgain) {
      const reason = "The service's answers disagree about the time.";
      return this.#backOff({ reason, retryAfterMs: undefined });
    }
    this.#isSigningAgain = true;
    return { kind: 'again' };
  }

  async #settle({ results, retry }: Extract<FollowUp, { kind: 'settle' }>): Promise<Step> {
    await this.#parts.store.settle(results);
    const refused = results.filter(({ kind }) => kind === 'refused');
    this.#delivered += results.length - refused.length;
    if (refused.length > 0) this.#parts.onEventsRefused(refused);
    if (retry !== undefined) return this.#backOff(retry);
    this.#succeed('sending');
    this.#limit = Math.min(MAX_EVENTS, this.#limit * 2);
    return { kind: 'again' };
  }

  #succeed(state: 'idle' | 'sending'): void {
    this.#state = state;
    this.#reason = undefined;
    this.#refusal = undefined;
    this.#reported = undefined;
    this.#failures = 0;
    this.#isSigningAgain = false;
    this.#nextAttemptMs = undefined;
  }

  #stop({ reason, refusal }: Stop): Step {
    this.#state = 'stopped';
    this.#reason = reason;
    this.#refusal = refusal;
    this.#nextAttemptMs = undefined;
    this.#parts.onStopped(reason);
    // A listener may call `resume` at once. Without a wait the two would loop.
    return this.#state === 'stopped' ? { kind: 'stopped' } : { kind: 'waiting', afterMs: RESUMED_WAIT_MS };
  }

  #backOff(retry: Retry): Step {
    const { reason, retryAfterMs, refusal } = retry;
    this.#failures += 1;
    this.#isSigningAgain = false;
    const { nowMs, random } = this.#parts;
    const afterMs = backOffMs(this.#failures, retry, random);
    const fromMs = nowMs();
    if (retryAfterMs !== undefined) this.#silence = { fromMs, untilMs: fromMs + retryAfterMs };
    this.#state = 'backing_off';
    this.#reason = reason;
    this.#refusal = refusal;
    this.#nextAttemptMs = fromMs + afterMs;
    if (refusal !== undefined) this.#reportRefusal(reason);
    return { kind: 'waiting', afterMs };
  }

  #reportRefusal(reason: string): void {
    const isNew = reason !== this.#reported;
    this.#reported = reason;
    this.#parts.onUploadRefused(reason, isNew);
  }

  /** A clock that was set back must not lengthen the wait: times before `fromMs` do not count either. */
  #silentForMs(): number {
    const nowMs = this.#parts.nowMs();
    const { fromMs, untilMs } = this.#silence;
    return nowMs >= fromMs && nowMs < untilMs ? untilMs - nowMs : 0;
  }

  /** The events before the first that has to wait: a batch keeps the order of the device's chain. */
  #sendable(events: readonly Event[]): readonly Event[] {
    const waits = (event: Event) => {
      const aheadMs = this.#aheadMs(event);
      return aheadMs > TOLERATED_AHEAD_MS && aheadMs <= HOPELESS_AHEAD_MS;
    };
    const first = events.findIndex(waits);
    return events.slice(0, Math.min(this.#limit, first === -1 ? events.length : first));
  }

  #aheadMs({ timestamp }: Pick<LocalEvent, 'timestamp'>): number {
    return Date.parse(timestamp) - this.#parts.serviceClock.nowMs();
  }
}
