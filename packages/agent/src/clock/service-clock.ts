import type { TransportOutcome } from '../ports/transport.ts';

/** The service accepts signatures dated up to 60 s ahead of its clock. The difference is reserved for transit. */
const TOLERATED_MS = 45_000;
/** From this offset on, a person should know that the device's clock is wrong. */
const CLOCK_OFF_MS = 60_000;

/** What is known of the service's clock. The device's own may be wrong, and may jump. */
export class ServiceClock {
  readonly #nowMs: () => number;
  #aheadMs: number | undefined;
  #lastContact: { readonly deviceMs: number; readonly serviceMs: number | undefined } | undefined;
  #wasOff = false;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Notes the time of an answer of the API. True when the request was dated so wrongly that the service may have refused
   * it for that reason alone.
   */
  note(outcome: TransportOutcome<unknown>): boolean {
    const isFromProxy = outcome.kind === 'refused' && outcome.code === undefined;
    if (outcome.kind === 'unreachable' || isFromProxy) return false;
    const deviceMs = this.#nowMs();
    const { serviceTimeMs: serviceMs } = outcome;
    this.#lastContact = { deviceMs, serviceMs };
    if (serviceMs === undefined) return false;
    const aheadMs = deviceMs - serviceMs;
    const wasMisdated = Math.abs(aheadMs - (this.#aheadMs ?? 0)) > TOLERATED_MS;
    this.#aheadMs = aheadMs;
    return wasMisdated;
  }

  /** How far the device's clock is ahead; undefined before the first answer with a time. */
  get aheadMs(): number | undefined {
    return this.#aheadMs;
  }

  /** When the service last answered, by the device's clock. */
  get lastContactMs(): number | undefined {
    return this.#lastContact?.deviceMs;
  }

  /** When the service last answered, by its own clock. Stays correct when the device's clock jumps. */
  get lastServiceTimeMs(): number | undefined {
    return this.#lastContact?.serviceMs;
  }

  /** The service's time now: the device's clock corrected by the last known offset. */
  nowMs(): number {
    return this.#nowMs() - (this.#aheadMs ?? 0);
  }

  /** Returns a message when the device's clock has gone wrong since the last call, once per time. */
  takeWarning(): string | undefined {
    const aheadMs = this.#aheadMs ?? 0;
    const isOff = Math.abs(aheadMs) > CLOCK_OFF_MS;
    const isNew = isOff && !this.#wasOff;
    this.#wasOff = isOff;
    if (!isNew) return undefined;
    const direction = aheadMs > 0 ? 'ahead of' : 'behind';
    return `The device's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${direction} the service's.`;
  }
}
