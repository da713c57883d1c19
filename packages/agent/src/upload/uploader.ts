import type { Event } from '@tps/contract';
import type { ServiceClock } from '../clock/service-clock.ts';
import type { AgentHealth } from '../health.ts';
import type { DeviceKey } from '../node/keys/software-key.ts';
import type { AgentTransport } from '../ports/transport.ts';
import type { EventStore, LocalEvent, Verdict } from '../store/event-store.ts';
import { backOffMs } from './back-off.ts';
import { type Judgement, judge, type Retry } from './follow-up.ts';

const MAX_EVENTS = 500;
/** With the envelope still below 1 MiB. */
const MAX_BYTES = 1_000_000;
/** The service takes timestamps up to 5 minutes ahead; a minute is left for the way and for drift. */
const TOLERATED_AHEAD_MS = 4 * 60_000;
/** A sealed event that is further ahead is sent all the same, to be refused and seen: it holds up all others. */
const HOPELESS_AHEAD_MS = 24 * 3_600_000;
const NOT_DUE_WAIT_MS = 60_000;
const RESUMED_WAIT_MS = 10_000;

/** What the key to sign with is, or why there is none now. */
export type KeyForUpload =
  | { readonly kind: 'key'; readonly key: DeviceKey }
  | ({ readonly kind: 'retry' } & Retry)
  | { readonly kind: 'stop'; readonly reason: string };

export interface UploaderParts {
  readonly store: EventStore;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Keeps what must not happen at the same time as an upload, such as an exchange of the key, apart. */
  readonly exclusively: <Result>(task: () => Promise<Result>) => Promise<Result>;
  readonly keyForUpload: (signal: AbortSignal) => Promise<KeyForUpload>;
  /** Once this is aborted, nothing further is sent. */
  readonly closing: AbortSignal;
  /** Once this is aborted, what is being sent is broken off. */
  readonly broken: AbortSignal;
  readonly onRefused: (refused: readonly Verdict[]) => void;
  readonly onStopped: (reason: string) => void;
}

/** Why sending has ended. */
export type DrainResult =
  | { readonly kind: 'empty' }
  | { readonly kind: 'waiting'; readonly afterMs: number }
  | { readonly kind: 'stopped' };

type Step = DrainResult | { readonly kind: 'again' };
type UploadState = Pick<
  AgentHealth['upload'],
  'state' | 'reason' | 'attempts' | 'delivered' | 'nextAttemptAt'
>;

/** Brings stored events to the service, one request at a time. */
export class Uploader {
  readonly #parts: UploaderParts;
  #running: Promise<DrainResult> | undefined;
  #state: UploadState['state'] = 'idle';
  #reason: string | undefined;
  #attempts = 0;
  #delivered = 0;
  #failures = 0;
  #limit = MAX_EVENTS;
  #isSigningAnew = false;
  /** Between these times, by the device's clock, the service wants to hear nothing. */
  #silence = { fromMs: 0, untilMs: 0 };
  #nextAttemptMs: number | undefined;

  constructor(parts: UploaderParts) {
    this.#parts = parts;
  }

  /** Sends until nothing is left to send now, or until it has to wait or stop. A second call joins the first. */
  drain(): Promise<DrainResult> {
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Starts again after `stopped`, and forgets how long it was to wait. */
  resume(): void {
    this.#succeed('idle');
    this.#silence = { fromMs: 0, untilMs: 0 };
  }

  get state(): UploadState {
    return {
      state: this.#state,
      reason: this.#reason,
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

  /** The store and the keys may be out of reach for a while, as the network may. */
  async #guardedStep(): Promise<Step> {
    try {
      return await this.#step();
    } catch (error) {
      return this.#backOff({ reason: (error as Error).message, retryAfterMs: undefined });
    }
  }

  async #step(): Promise<Step> {
    const { store, closing, broken, keyForUpload } = this.#parts;
    const silentMs = this.#silentForMs();
    if (closing.aborted || silentMs > 0) return { kind: 'waiting', afterMs: silentMs };
    if (store.state().waiting === 0) return this.#rest();
    const found = await keyForUpload(broken);
    if (found.kind === 'retry') return this.#backOff(found);
    if (found.kind === 'stop') return this.#stop(found.reason);
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
    const { transport, broken } = this.#parts;
    const outcome = await transport.sendEvents({ events, key }, broken);
    if (broken.aborted && outcome.kind === 'unreachable') return { kind: 'waiting', afterMs: 0 };
    const wasMisdated = this.#parts.serviceClock.note(outcome);
    // On a slow link a smaller request may get through in time.
    if (outcome.kind === 'unreachable') this.#limit = Math.max(1, Math.floor(events.length / 2));
    return this.#follow(judge(outcome, events, wasMisdated), events.length);
  }

  async #follow(judgement: Judgement, sent: number): Promise<Step> {
    switch (judgement.kind) {
      case 'settle':
        return this.#settle(judgement);
      case 'split':
        this.#limit = Math.max(1, Math.floor(sent / 2));
        return { kind: 'again' };
      case 'sign_anew':
        return this.#signAnew();
      case 'retry':
        return this.#backOff(judgement);
      case 'stop':
        return this.#stop(judgement.reason);
    }
  }

  /** Twice in a row there are two clocks behind one address, and no signature would ever please both. */
  #signAnew(): Step {
    if (this.#isSigningAnew) {
      return this.#backOff({ reason: "The service's answers differ in the time.", retryAfterMs: undefined });
    }
    this.#isSigningAnew = true;
    return { kind: 'again' };
  }

  async #settle({ verdicts, retry }: Extract<Judgement, { kind: 'settle' }>): Promise<Step> {
    await this.#parts.store.settle(verdicts);
    const refused = verdicts.filter(({ kind }) => kind === 'refused');
    this.#delivered += verdicts.length - refused.length;
    if (refused.length > 0) this.#parts.onRefused(refused);
    if (retry !== undefined) return this.#backOff(retry);
    this.#succeed('sending');
    this.#limit = Math.min(MAX_EVENTS, this.#limit * 2);
    return { kind: 'again' };
  }

  #succeed(state: 'idle' | 'sending'): void {
    this.#state = state;
    this.#reason = undefined;
    this.#failures = 0;
    this.#isSigningAnew = false;
    this.#nextAttemptMs = undefined;
  }

  #stop(reason: string): Step {
    this.#state = 'stopped';
    this.#reason = reason;
    this.#nextAttemptMs = undefined;
    this.#parts.onStopped(reason);
    // Whoever hears of it may resume at once, but not without a wait: both would go round in circles.
    return this.#state === 'stopped' ? { kind: 'stopped' } : { kind: 'waiting', afterMs: RESUMED_WAIT_MS };
  }

  #backOff({ reason, retryAfterMs }: Retry): Step {
    this.#failures += 1;
    this.#isSigningAnew = false;
    const { nowMs, random } = this.#parts;
    const afterMs = backOffMs(this.#failures, retryAfterMs, random);
    const fromMs = nowMs();
    if (retryAfterMs !== undefined) this.#silence = { fromMs, untilMs: fromMs + retryAfterMs };
    this.#state = 'backing_off';
    this.#reason = reason;
    this.#nextAttemptMs = fromMs + afterMs;
    return { kind: 'waiting', afterMs };
  }

  /** A clock that was set back must not lengthen the wait: before its beginning there is no silence either. */
  #silentForMs(): number {
    const nowMs = this.#parts.nowMs();
    const { fromMs, untilMs } = this.#silence;
    return nowMs >= fromMs && nowMs < untilMs ? untilMs - nowMs : 0;
  }

  /** The first events up to one that has to wait: the order within a batch is that of the device's chain. */
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
