import type { Outcome } from '../ports/transport.ts';

/** A service takes signatures dated up to 60 s ahead of its clock. Some of that is needed for the way. */
const TOLERATED_MS = 45_000;

/** What is known of the service's clock. The device's own may be wrong, and may jump. */
export class ServiceClock {
  readonly #nowMs: () => number;
  #aheadMs: number | undefined;
  #lastContact: { readonly deviceMs: number; readonly serviceMs: number | undefined } | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Notes the time that an answer of the API tells. True when what was asked had been dated so wrongly that the service
   * may have refused it for that alone.
   */
  note(outcome: Outcome<unknown>): boolean {
    if (outcome.kind === 'unreachable' || (outcome.kind === 'refused' && outcome.code === undefined))
      return false;
    const deviceMs = this.#nowMs();
    const { serviceTimeMs: serviceMs } = outcome;
    this.#lastContact = { deviceMs, serviceMs };
    if (serviceMs === undefined) return false;
    const aheadMs = deviceMs - serviceMs;
    const wasMisdated = Math.abs(aheadMs - (this.#aheadMs ?? 0)) > TOLERATED_MS;
    this.#aheadMs = aheadMs;
    return wasMisdated;
  }

  /** How far the device's clock is ahead; undefined before the first answer that told the time. */
  get aheadMs(): number | undefined {
    return this.#aheadMs;
  }

  /** When the service last answered, by the device's clock. */
  get lastContactMs(): number | undefined {
    return this.#lastContact?.deviceMs;
  }

  /** The service's time of the last contact. Never ahead of the truth, however the device's clock jumps. */
  get lastServiceTimeMs(): number | undefined {
    return this.#lastContact?.serviceMs;
  }

  /** The service's time now, as far as known. */
  nowMs(): number {
    return this.#nowMs() - (this.#aheadMs ?? 0);
  }
}
