import type { DeviceIdentity } from '../agent.ts';
import type { ServiceClock } from '../clock/service-clock.ts';
import { DeviceClientError } from '../errors/device-client-error.ts';
import type { DeviceKeys } from '../ports/keys.ts';
import type { AgentTransport, Outcome } from '../ports/transport.ts';
import type { KeyForUpload } from '../upload/uploader.ts';

/**
 * How long a request may go on in the service after its answer was given up. Until then a next key that the service does
 * not know is kept: it may come to know it yet, and without that key the device would be locked out for good.
 */
const LATE_MS = 2 * 60_000;

export interface SigningRotationParts {
  readonly identity: DeviceIdentity;
  readonly keys: DeviceKeys;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
}

/**
 * Exchanges the signing key so that the device and the service cannot part ways: the next key is stored before the
 * service hears of it. If the answer is lost, or the process dies, registering with the next key tells whether the
 * exchange took effect: the service answers 200 to the key it knows and 409 to any other.
 */
export class SigningRotation {
  readonly #parts: SigningRotationParts;
  /** Whether a key is staged; undefined until looked. */
  #isStaged: boolean | undefined;
  /** Since when it is known, by the device's clock, that the service did not know the staged key. */
  #unknownSinceMs: number | undefined;
  #isToAskAgain = false;

  constructor(parts: SigningRotationParts) {
    this.#parts = parts;
  }

  /** Has it looked at again, before the next upload, which key holds. */
  lookAgain(): void {
    this.#isToAskAgain = true;
  }

  /** Gives the key that the service knows, after finding out which one that is. */
  async keyForUpload(signal: AbortSignal): Promise<KeyForUpload> {
    const unsettled = await this.#settle(signal);
    return unsettled ?? { kind: 'key', key: await this.#parts.keys.signingKey() };
  }

  /**
   * Puts a new key of the same algorithm in place.
   *
   * @throws DeviceClientError when the service refuses: the present key stays. Error when it is unknown which key holds:
   *   that is found out before the next upload
   */
  async rotate(signal: AbortSignal): Promise<void> {
    const { keys, transport, serviceClock } = this.#parts;
    const found = await this.keyForUpload(signal);
    if (found.kind !== 'key') throw new Error(`An earlier rotation is not settled: ${found.reason}`);
    const old = found.key;
    this.#isStaged = true;
    const kept = await keys.stagedSigningKey();
    const next = kept ?? (await keys.stageSigningKey(old.algorithm));
    this.#unknownSinceMs = undefined;
    let outcome = await transport.rotateKey({ old, next }, signal);
    if (serviceClock.note(outcome) && outcome.kind === 'refused') {
      outcome = await transport.rotateKey({ old, next }, signal);
      serviceClock.note(outcome);
    }
    if (outcome.kind === 'answered') return this.#end('promote');
    if (isFinal(outcome)) {
      if (kept === undefined) await this.#end('discard');
      throw new DeviceClientError(outcome.message, outcome);
    }
    throw new Error(`Whether the new key holds is not known yet: ${outcome.message}`);
  }

  /** Finds out what became of a rotation that was interrupted. Undefined once that is known. */
  async #settle(signal: AbortSignal): Promise<Exclude<KeyForUpload, { kind: 'key' }> | undefined> {
    const { keys, transport, serviceClock, identity, nowMs } = this.#parts;
    const isUnknown = this.#unknownSinceMs !== undefined;
    // The clock may have been put back.
    const isLate = Math.abs(nowMs() - (this.#unknownSinceMs ?? nowMs())) >= LATE_MS;
    if (this.#isStaged === false || (isUnknown && !isLate && !this.#isToAskAgain)) return undefined;
    const staged = await keys.stagedSigningKey();
    if (staged === undefined) {
      this.#isStaged = false;
      return undefined;
    }
    const outcome = await transport.register({ key: staged, platform: identity.platform }, signal);
    const wasMisdated = serviceClock.note(outcome);
    if (outcome.kind === 'answered') {
      await this.#end('promote');
      return undefined;
    }
    if (outcome.kind === 'refused' && outcome.code === 'device_key_conflict') {
      this.#isToAskAgain = false;
      this.#unknownSinceMs ??= nowMs();
      if (isLate) await this.#end('discard');
      return undefined;
    }
    if (isFinal(outcome) && !wasMisdated)
      return { kind: 'stop', reason: `${outcome.status}: ${outcome.message}` };
    const retryAfterMs = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
    return { kind: 'retry', reason: outcome.message, retryAfterMs };
  }

  async #end(outcome: 'promote' | 'discard'): Promise<void> {
    await this.#parts.keys.settleSigningKey(outcome);
    this.#isStaged = false;
    this.#unknownSinceMs = undefined;
  }
}

/** Whether the API itself has refused, and would again. */
function isFinal(outcome: Outcome<unknown>): outcome is Extract<Outcome<unknown>, { kind: 'refused' }> {
  return (
    outcome.kind === 'refused' && outcome.code !== undefined && outcome.status < 500 && outcome.status !== 429
  );
}
