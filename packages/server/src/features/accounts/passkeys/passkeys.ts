import { isIP } from 'node:net';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import {
  type Database,
  networkRequester,
  personRequester,
  type Queries,
  type Requester,
} from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { WebSite } from '../../../platform/web/web-route.ts';
import { SERVICE } from '../../audit/index.ts';
import type { Account, AccountId } from '../account.ts';
import { appendAccountEntry } from '../account-audit.ts';
import * as accountStore from '../account-store.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import { challengeOf, parseAnswer } from './passkey-answer.ts';
import type { Passkey } from './passkey-store.ts';
import * as passkeyStore from './passkey-store.ts';

/** People have a few devices and security keys. */
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_LENGTH = 60;
/** As long as browsers wait for a person, and a little more. */
const CHALLENGE_LIFETIME_MS = 5 * 60_000;
/** What authenticators show beside the account. */
const SERVICE_NAME = 'Threat Protection Service';

/** A passkey whose signature was verified. It counts only after `use` in the transaction of what it permits. */
export interface ProvenPasskey {
  readonly credentialId: string;
  readonly accountId: AccountId;
  readonly counter: number;
}

export type RegistrationOutcome = 'registered' | 'refused' | 'already_registered' | 'too_many';
export type RemovalOutcome = 'removed' | 'not_found' | 'last_way_to_sign_in';

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Its address is that of the configuration, never of a request. */
  readonly site: Pick<WebSite, 'url'>;
}

/**
 * Passkeys (WebAuthn): sign in without a password, and prove again who you are. The authenticator verifies its user, so
 * a passkey replaces the password and the second factor together.
 */
export class Passkeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Browsers bind passkeys to a host name and have none for an IP address (WebAuthn, section 5.1.3, step 7). */
  get isAvailable(): boolean {
    return isIP(this.#rpId.replaceAll(/[[\]]/g, '')) === 0;
  }

  // The port of the address is known only when the service listens.
  get #rpId(): string {
    return new URL(this.#parts.site.url).hostname;
  }

  get #origin(): string {
    return new URL(this.#parts.site.url).origin;
  }

  /** Returns the options with which a browser creates a passkey. */
  async beginRegistration(
    account: Pick<Account, 'accountId' | 'email' | 'name'>,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { database } = this.#parts;
    const { generateRegistrationOptions } = await loadLibrary();
    const existing = await passkeyStore.list(database.read, account.accountId);
    const { accountId } = account;
    const requester = personRequester('passkey_registration', accountId);
    const challenge = await this.#createChallenge('passkey_registration', { accountId, requester });
    return generateRegistrationOptions({
      rpName: SERVICE_NAME,
      rpID: this.#rpId,
      userName: account.email,
      userDisplayName: account.name,
      userID: new TextEncoder().encode(account.accountId),
      challenge: new Uint8Array(challenge),
      excludeCredentials: existing.map(({ credentialId: id, transports }) => ({
        id,
        transports: [...transports],
      })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * Verifies what the browser returned. Any answer uses the challenge up. Returns the passkey for `register`,
   * or undefined if the answer is not one to a challenge of this account.
   */
  async verifyRegistration(
    accountId: AccountId,
    { text, name }: { text: string; name: string },
  ): Promise<Passkey | undefined> {
    const answer = parseAnswer<RegistrationResponseJSON>(text);
    const challenge = answer && challengeOf(answer);
    if (!answer || challenge === undefined) return undefined;
    if (!(await this.#takeChallenge('passkey_registration', { challenge, accountId }))) return undefined;
    const { verifyRegistrationResponse } = await loadLibrary();
    const verified = await this.#refusingBadInput(async () =>
      verifyRegistrationResponse({
        response: await withoutAttestation(answer),
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
      }),
    );
    if (!verified?.verified) return undefined;
    const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
    return {
      credentialId: id,
      accountId,
      publicKey,
      counter,
      transports: toTransports(transports),
      name: toPasskeyName(name),
      createdAtMs: this.#parts.clock.now(),
      usedAtMs: null,
    };
  }

  /** Stores a verified passkey. Locks the account, so that simultaneous requests cannot exceed the limit. */
  async register(tx: Queries, passkey: Passkey): Promise<RegistrationOutcome> {
    if (!(await accountStore.findForUpdate(tx, passkey.accountId))) return 'refused';
    const existing = await passkeyStore.list(tx, passkey.accountId);
    if (existing.length >= MAX_PASSKEYS) return 'too_many';
    return (await passkeyStore.create(tx, passkey)) ? 'registered' : 'already_registered';
  }

  /**
   * Returns the options with which a browser at an address uses a passkey: of an account, or of the one that the person
   * picks.
   */
  async beginUse(
    accountId: AccountId | null,
    { peer }: { peer: string },
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadLibrary();
    const own =
      accountId === null ? undefined : await passkeyStore.list(this.#parts.database.read, accountId);
    const requester =
      accountId === null ? networkRequester(peer) : personRequester('passkey_login', accountId);
    const challenge = await this.#createChallenge('passkey_login', { accountId, requester });
    return generateAuthenticationOptions({
      rpID: this.#rpId,
      challenge: new Uint8Array(challenge),
      userVerification: 'required',
      ...(own && {
        allowCredentials: own.map(({ credentialId: id, transports }) => ({
          id,
          transports: [...transports],
        })),
      }),
    });
  }

  /**
   * Verifies what the browser returned to `beginUse` for the same account or null. Any answer uses the
   * challenge up. Returns undefined if the answer proves nothing.
   */
  async verifyUse(accountId: AccountId | null, text: string): Promise<ProvenPasskey | undefined> {
    const answer = parseAnswer<AuthenticationResponseJSON>(text);
    const challenge = answer && challengeOf(answer);
    if (!answer || challenge === undefined) return undefined;
    if (!(await this.#takeChallenge('passkey_login', { challenge, accountId }))) return undefined;
    const passkey = await passkeyStore.find(this.#parts.database.read, answer.id);
    if (!passkey || !belongsTo(passkey, { accountId, answer })) return undefined;
    const { verifyAuthenticationResponse } = await loadLibrary();
    const verified = await this.#refusingBadInput(() =>
      verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: challenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
        // `use` compares the counter, in the transaction. The library would compare one that was read before.
        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      }),
    );
    if (!verified?.verified) return undefined;
    const { newCounter: counter } = verified.authenticationInfo;
    return { credentialId: passkey.credentialId, accountId: passkey.accountId, counter };
  }

  /**
   * Uses a verified passkey. Returns false if it was removed meanwhile, or if its counter did not grow, which is recorded.
   * Commit the transaction in any case. The caller has locked the account.
   */
  async use(tx: Queries, proven: ProvenPasskey, { requestId }: { requestId: string }): Promise<boolean> {
    const nowMs = this.#parts.clock.now();
    if (await passkeyStore.use(tx, proven, nowMs)) return true;
    const { accountId, credentialId } = proven;
    if (!(await passkeyStore.find(tx, credentialId))) return false;
    const entry = {
      accountId,
      requestId,
      actor: SERVICE,
      outcome: 'denied',
      action: 'account.passkey_refused',
      detail: 'Passkey refused: its counter did not grow, so the authenticator may have been copied',
    } as const;
    await appendAccountEntry(tx, entry, nowMs);
    return false;
  }

  /** Removes a passkey, unless the person could not sign in without it. */
  async remove(tx: Queries, accountId: AccountId, credentialId: string): Promise<RemovalOutcome> {
    // Locked: two requests must not remove the last two passkeys.
    const account = await accountStore.findForUpdate(tx, accountId);
    const passkeys = await passkeyStore.list(tx, accountId);
    if (!passkeys.some((passkey) => passkey.credentialId === credentialId)) return 'not_found';
    if (account?.passwordHash === null && passkeys.length === 1) return 'last_way_to_sign_in';
    await passkeyStore.remove(tx, accountId, credentialId);
    return 'removed';
  }

  async #createChallenge(
    kind: 'passkey_login' | 'passkey_registration',
    { accountId, requester }: { accountId: AccountId | null; requester: Requester },
  ): Promise<Buffer> {
    const { database, clock } = this.#parts;
    const secret = challengeStore.mintSecret();
    const nowMs = clock.now();
    const times = { nowMs, lifetimeMs: CHALLENGE_LIFETIME_MS };
    await database.transaction((tx) =>
      challengeStore.create(tx, { secret, kind, accountId, payload: {}, requester, ...times }),
    );
    await challengeStore.removeExcess(database, requester);
    return Buffer.from(secret.reveal(), 'base64url');
  }

  /** Returns whether the challenge was made for this account, or for none, and was not used. */
  async #takeChallenge(
    kind: 'passkey_login' | 'passkey_registration',
    { challenge: secret, accountId }: { challenge: string; accountId: AccountId | null },
  ): Promise<boolean> {
    const { database, clock } = this.#parts;
    const wanted = { secret, kind, nowMs: clock.now() };
    const taken = await database.transaction((tx) => challengeStore.take(tx, wanted));
    return taken !== undefined && taken.accountId === accountId;
  }

  /** The library throws for each answer that it refuses. Its messages quote the answer: they are not logged. */
  async #refusingBadInput<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await verify();
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.#parts.logger.debug({ reason }, 'passkey refused');
      return undefined;
    }
  }
}

/** Loaded at first use: it takes longer to load than the rest of the pages together. */
function loadLibrary(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server');
}

/**
 * Leaves out the statement about the authenticator, for which the options do not ask. To verify one, the library would fetch
 * lists of revoked certificates from any address in it.
 */
async function withoutAttestation(answer: RegistrationResponseJSON): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const { attestationObject } = answer.response;
  const authData = decodeAttestationObject(Buffer.from(attestationObject, 'base64url')).get('authData');
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  );
  const response = { ...answer.response, attestationObject: Buffer.from(bare).toString('base64url') };
  return { ...answer, response };
}

/** The authenticator names the account for which it holds the passkey (WebAuthn, section 7.2, step 6). */
function belongsTo(
  passkey: Passkey,
  { accountId, answer }: { accountId: AccountId | null; answer: AuthenticationResponseJSON },
): boolean {
  if (accountId !== null && passkey.accountId !== accountId) return false;
  const { userHandle } = answer.response;
  // An authenticator may leave it out if we named the passkeys that it may use.
  if (userHandle === undefined) return accountId !== null;
  return Buffer.from(userHandle, 'base64url').toString('utf8') === passkey.accountId;
}

function toTransports(transports: readonly unknown[] | undefined): string[] {
  // They come from the browser. An options page would repeat them.
  return (transports ?? [])
    .filter((one): one is string => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one))
    .slice(0, 8);
}

function toPasskeyName(name: string): string {
  const visible = name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
  return [...visible].slice(0, MAX_PASSKEY_NAME_LENGTH).join('') || 'Passkey';
}
