import type { ServiceClock } from '../clock/service-clock.ts';
import type { AgentTransport } from '../ports/transport.ts';
import type { KeyForUpload } from '../upload/uploader.ts';
import type { OwnCredential } from './own-credential.ts';

export interface CredentialRenewalParts {
  readonly credential: OwnCredential;
  readonly transport: AgentTransport;
  readonly serviceClock: ServiceClock;
  readonly keyForUpload: (signal: AbortSignal) => Promise<KeyForUpload>;
  /** Called with a sentence for a person when renewals begin to fail, and when the credential has expired. */
  readonly onProblem: (message: string) => void;
}

/** The state of the credential, for `health()`. */
export interface CredentialState {
  /** RFC 3339. */
  readonly expiresAt: string;
  /** Why the last renewal failed; undefined when it succeeded or is not due. */
  readonly problem: string | undefined;
}

/**
 * Renews the credential from the time that the service names: two thirds of its lifetime, by the service's clock. The
 * service keeps the old credential valid for days, so that a lost answer or a crash is followed by another attempt.
 */
export class CredentialRenewal {
  readonly #parts: CredentialRenewalParts;
  #problem: string | undefined;
  #hasReportedEnd = false;

  constructor(parts: CredentialRenewalParts) {
    this.#parts = parts;
  }

  get state(): CredentialState {
    return { expiresAt: this.#parts.credential.expiresAt, problem: this.#problem };
  }

  /** Renews the credential if it is due. Never rejects: a failure is reported, and the next call tries again. */
  async renewIfDue(signal: AbortSignal): Promise<void> {
    const { credential, serviceClock } = this.#parts;
    const nowMs = serviceClock.nowMs();
    if (!credential.isDue(nowMs)) return;
    const problem = await this.#renew(signal).catch(
      (error: unknown) => `The new credential was not stored: ${String(error)}`,
    );
    if (problem !== undefined && signal.aborted) return;
    if (problem !== undefined) this.#report(problem, credential.hasExpired(nowMs));
    this.#problem = problem;
    if (problem === undefined) this.#hasReportedEnd = false;
  }

  /** Returns why the credential was not renewed; undefined when it was. */
  async #renew(signal: AbortSignal): Promise<string | undefined> {
    const { credential, transport, serviceClock, keyForUpload } = this.#parts;
    if (transport.renewCredential === undefined) return 'The transport cannot renew credentials.';
    const found = await keyForUpload(signal);
    if (found.kind !== 'key') return found.reason;
    const attempt = () =>
      transport.renewCredential?.({ key: found.key, signedAtMs: serviceClock.nowMs() }, signal);
    let outcome = await attempt();
    // The first answer contains the service's time, which dates the second request.
    if (outcome && serviceClock.note(outcome) && outcome.kind === 'refused') outcome = await attempt();
    if (outcome?.kind !== 'answered') return outcome?.message ?? 'The credential was not renewed.';
    await credential.replace(outcome.body);
    return undefined;
  }

  #report(problem: string, hasExpired: boolean): void {
    if (hasExpired && !this.#hasReportedEnd) {
      this.#hasReportedEnd = true;
      this.#parts.onProblem(`The credential has expired: enrol the device again. ${problem}`);
    } else if (this.#problem === undefined) {
      const { expiresAt } = this.#parts.credential;
      this.#parts.onProblem(`The credential, valid until ${expiresAt}, could not be renewed: ${problem}`);
    }
  }
}
