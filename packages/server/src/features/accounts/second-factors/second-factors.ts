import type { Queries, ReadQueries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secret } from '../../../platform/crypto/secret.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { AccountId } from '../account.ts';
import * as recoveryCodeStore from './recovery-code-store.ts';
import { createRecoveryCodes, hashRecoveryCode, toRecoveryCode } from './recovery-codes.ts';
import { createTotpSecret, findTotpStep, toTotpCode } from './totp.ts';
import * as totpStore from './totp-store.ts';

/** How a person proved the second factor. */
export type SecondFactorMethod = 'totp' | 'recovery_code';

/** What the account page shows. */
export interface SecondFactorState {
  /** When the authenticator app was confirmed; null without one. */
  readonly confirmedAtMs: number | null;
  readonly unusedRecoveryCodes: number;
}

interface Parts {
  readonly secrets: SecretBox;
  readonly clock: Clock;
}

/** Binds a sealed secret to its account: it does not open in the row of another one. */
export function totpBinding(accountId: AccountId): string[] {
  return ['account_totp', accountId];
}

/** Authenticator apps (TOTP, RFC 6238) and the recovery codes that replace a lost one. */
export class SecondFactors {
  readonly #secrets: SecretBox;
  readonly #clock: Clock;

  constructor({ secrets, clock }: Parts) {
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** Without a master key, a secret would be lost when the process ends, and its owner locked out. */
  get canEnrol(): boolean {
    return this.#secrets.persistence === 'persistent';
  }

  /** Returns whether a sign-in needs a second factor after the password. */
  async isRequired(queries: ReadQueries, accountId: AccountId): Promise<boolean> {
    const record = await totpStore.find(queries, accountId);
    return record !== undefined && record.confirmedAtMs !== null;
  }

  async describe(queries: ReadQueries, accountId: AccountId): Promise<SecondFactorState> {
    const record = await totpStore.find(queries, accountId);
    const unusedRecoveryCodes = await recoveryCodeStore.countUnused(queries, accountId);
    return { confirmedAtMs: record?.confirmedAtMs ?? null, unusedRecoveryCodes };
  }

  /**
   * Creates a secret for an authenticator app. It protects the account once `confirm` was called. Returns undefined if
   * the account has an authenticator app.
   */
  async begin(tx: Queries, accountId: AccountId): Promise<Secret | undefined> {
    const secret = createTotpSecret();
    const sealed = this.#secrets.seal(secret, totpBinding(accountId));
    const record = { accountId, secret: sealed, createdAtMs: this.#clock.now(), confirmedAtMs: null };
    return (await totpStore.begin(tx, record)) ? secret : undefined;
  }

  /** Returns the secret that waits for its first code. */
  async findUnconfirmed(queries: ReadQueries, accountId: AccountId): Promise<Secret | undefined> {
    return this.#openUnconfirmed(await totpStore.find(queries, accountId));
  }

  /** Turns the second factor on with the first code of the app. Returns new recovery codes, or undefined if it is wrong. */
  async confirm(tx: Queries, accountId: AccountId, text: string): Promise<string[] | undefined> {
    const code = toTotpCode(text);
    // Locked: `begin` must not replace the secret between the check of the code and its confirmation.
    const secret = this.#openUnconfirmed(await totpStore.findForUpdate(tx, accountId));
    if (code === undefined || !secret) return undefined;
    const nowMs = this.#clock.now();
    const step = findTotpStep(secret, { code, nowMs });
    if (step === undefined || !(await totpStore.confirm(tx, accountId, { step, nowMs }))) return undefined;
    return this.renewRecoveryCodes(tx, accountId);
  }

  /** Replaces all recovery codes and returns the new ones. */
  async renewRecoveryCodes(tx: Queries, accountId: AccountId): Promise<string[]> {
    const codes = createRecoveryCodes();
    const hashes = codes.map((code) => hashRecoveryCode(accountId, code));
    await recoveryCodeStore.replaceAll(tx, accountId, hashes);
    return codes;
  }

  /**
   * Uses up a code of the authenticator app, or a recovery code. Of several requests with one code, one succeeds. Returns
   * undefined if the code is wrong. The caller limits how often a person may try.
   */
  async verify(tx: Queries, accountId: AccountId, text: string): Promise<SecondFactorMethod | undefined> {
    const record = await totpStore.find(tx, accountId);
    if (!record || record.confirmedAtMs === null) return undefined;
    const nowMs = this.#clock.now();
    const code = toTotpCode(text);
    if (code !== undefined) {
      const secret = this.#secrets.open(record.secret, totpBinding(accountId));
      const step = secret && findTotpStep(secret, { code, nowMs });
      const isNew = step !== undefined && (await totpStore.useStep(tx, accountId, step));
      return isNew ? 'totp' : undefined;
    }
    const recoveryCode = toRecoveryCode(text);
    if (recoveryCode === undefined) return undefined;
    const codeHash = hashRecoveryCode(accountId, recoveryCode);
    const isUsed = await recoveryCodeStore.use(tx, accountId, { codeHash, nowMs });
    return isUsed ? 'recovery_code' : undefined;
  }

  /** Removes the authenticator app and the recovery codes. Returns whether the second factor was on. */
  async remove(tx: Queries, accountId: AccountId): Promise<boolean> {
    await recoveryCodeStore.removeAll(tx, accountId);
    return totpStore.remove(tx, accountId);
  }

  #openUnconfirmed(record: totpStore.TotpRecord | undefined): Secret | undefined {
    if (!record || record.confirmedAtMs !== null) return undefined;
    return this.#secrets.open(record.secret, totpBinding(record.accountId));
  }
}
