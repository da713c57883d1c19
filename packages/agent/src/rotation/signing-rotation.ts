import type { Device } from '@tps/contract';
import type { ServiceClock } from '../clock/service-clock.ts';
import { DeviceClientError } from '../errors/device-client-error.ts';
import type { DeviceIdentity } from '../ports/identity.ts';
import type { DeviceKey, DeviceKeys } from '../ports/keys.ts';
import type { AgentTransport, KeyRotation, TransportOutcome } from '../ports/transport.ts';
import { afterDeviceRefusal } from '../upload/follow-up.ts';
import type { KeyForUpload } from '../upload/uploader.ts';

/**
 * How long the service may still process a request after the agent gave up on the answer. Until then, a staged key that
 * the service does not know is kept: the service may yet accept it, and without it the device would be locked out.
 */
const LATE_MS = 2 * 60_000;

export interface SigningRotationParts {
  readonly identity: DeviceIdentity;
  readonly keys: DeviceKeys;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly nowMs: () => number;
  /** The device has a credential that may not register, but may read the device. */
  readonly hasOwnCredential: boolean;
}

/**
 * Rotates the signing key so that device and service always agree in the end: the next key is stored before the service
 * learns of it. If the answer is lost, or the process dies, registering with the next key shows whether the rotation took
 * effect: the service answers 200 to the key that it knows and 409 to any other. A device with its own credential reads
 * itself instead.
 */
export class SigningRotation {
  readonly #parts: SigningRotationParts;
  /** Whether a key is staged; undefined until the key store was asked. */
  #isStaged: boolean | undefined;
  /** Since when, by the device's clock, the service is known not to know the staged key. */
  #unknownSinceMs: number | undefined;
  #mustAskAgain = false;

  constructor(parts: SigningRotationParts) {
    this.#parts = parts;
  }

  /** Makes the next `keyForUpload` find out again which key the service knows. */
  recheck(): void {
    this.#mustAskAgain = true;
  }

  /** Returns the key that the service knows. Completes an interrupted rotation first. */
  async keyForUpload(signal: AbortSignal): Promise<KeyForUpload> {
    const unsettled = await this.#settle(signal);
    return unsettled ?? { kind: 'key', key: await this.#parts.keys.signingKey() };
  }

  /**
   * Replaces the signing key with a new one of the same algorithm.
   *
   * @throws DeviceClientError when the service refuses: the current key stays
   * @throws Error when it is unknown which key the service knows: the next upload finds out
   */
  async rotate(signal: AbortSignal): Promise<void> {
    const { keys } = this.#parts;
    const found = await this.keyForUpload(signal);
    if (found.kind !== 'key') throw new Error(`An earlier rotation is not complete: ${found.reason}`);
    const old = found.key;
    this.#isStaged = true;
    const staged = await keys.stagedSigningKey();
    const next = staged ?? (await keys.stageSigningKey(old.algorithm));
    this.#unknownSinceMs = undefined;
    const outcome = await this.#request({ old, next }, signal);
    if (outcome.kind === 'answered') return this.#end('promote');
    if (isRefused(outcome)) {
      if (staged === undefined) await this.#end('discard');
      throw new DeviceClientError(outcome.message, outcome);
    }
    throw new Error(`It is not yet known whether the new key is active: ${outcome.message}`);
  }

  /** Repeats the request once when it was refused because of a wrong date. */
  async #request(
    pair: Omit<KeyRotation, 'signedAtMs'>,
    signal: AbortSignal,
  ): ReturnType<AgentTransport['rotateKey']> {
    const { transport, serviceClock } = this.#parts;
    const attempt = () => transport.rotateKey({ ...pair, signedAtMs: serviceClock.nowMs() }, signal);
    const outcome = await attempt();
    if (!serviceClock.note(outcome) || outcome.kind !== 'refused') return outcome;
    const second = await attempt();
    serviceClock.note(second);
    return second;
  }

  /** Finds out how an interrupted rotation ended. Undefined once that is known. */
  async #settle(signal: AbortSignal): Promise<Exclude<KeyForUpload, { kind: 'key' }> | undefined> {
    const { keys, serviceClock, nowMs } = this.#parts;
    const isUnknown = this.#unknownSinceMs !== undefined;
    // `abs`, since the clock may have been set back.
    const isLate = Math.abs(nowMs() - (this.#unknownSinceMs ?? nowMs())) >= LATE_MS;
    if (this.#isStaged === false || (isUnknown && !isLate && !this.#mustAskAgain)) return undefined;
    const staged = await keys.stagedSigningKey();
    if (staged === undefined) {
      this.#isStaged = false;
      return undefined;
    }
    const outcome = await this.#askFor(staged, signal);
    const wasMisdated = serviceClock.note(outcome);
    if (outcome.kind === 'answered') {
      await this.#end('promote');
      return undefined;
    }
    if (outcome.kind === 'refused' && outcome.code === 'device_key_conflict') {
      this.#mustAskAgain = false;
      this.#unknownSinceMs ??= nowMs();
      if (isLate) await this.#end('discard');
      return undefined;
    }
    if (isRefused(outcome) && !wasMisdated) return afterDeviceRefusal(outcome, outcome.code);
    const retryAfterMs = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined;
    return { kind: 'retry', reason: outcome.message, retryAfterMs };
  }

  /** Asks whether the service knows a key. For another key the outcome is `device_key_conflict`. */
  async #askFor(key: DeviceKey, signal: AbortSignal): Promise<TransportOutcome<Device>> {
    const { transport, serviceClock, identity, hasOwnCredential } = this.#parts;
    if (!hasOwnCredential || transport.readDevice === undefined) {
      const { platform } = identity;
      return transport.register({ key, platform, signedAtMs: serviceClock.nowMs() }, signal);
    }
    const outcome = await transport.readDevice(signal);
    if (outcome.kind !== 'answered' || outcome.body.public_key_b64 === key.publicKeyB64) return outcome;
    return {
      kind: 'refused',
      status: 409,
      code: 'device_key_conflict',
      message: 'The service knows another key.',
      retryAfterMs: undefined,
      serviceTimeMs: outcome.serviceTimeMs,
    };
  }

  async #end(result: 'promote' | 'discard'): Promise<void> {
    await this.#parts.keys.settleSigningKey(result);
    this.#isStaged = false;
    this.#unknownSinceMs = undefined;
  }
}

type ApiRefusal = Extract<TransportOutcome<unknown>, { kind: 'refused' }> & { readonly code: string };

/** Whether the API itself refused the request, which therefore had no effect. */
function isRefused(outcome: TransportOutcome<unknown>): outcome is ApiRefusal {
  return (
    outcome.kind === 'refused' && outcome.code !== undefined && outcome.status < 500 && outcome.status !== 429
  );
}
