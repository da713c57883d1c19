import type { Queries } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Account } from '../account.ts';
import { appendAccountEntry } from '../account-audit.ts';
import type { AccountTies } from '../account-pages/account-ties.ts';
import * as accountStore from '../account-store.ts';
import { removeCredentials } from '../remove-account.ts';
import { type EndedCredentials, toEndedItems } from './ended-credentials.ts';
import { toVerificationMail } from './verification-mail.ts';

/** The part of the mailer used here. `send` resolves when the mail server has taken the mail or refused it. */
interface VerificationMailer {
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

interface Parts {
  readonly clock: Clock;
  readonly ties: Pick<AccountTies, 'lockTenants' | 'endAccess'>;
  readonly mailer: VerificationMailer;
}

/** Describes how people prove that an address is theirs. */
const PROOFS = {
  reset_link: 'a link to set a password',
  invitation: 'a mailed invitation',
  sign_on: 'the provider of the tenant',
} as const;

interface EmailProof {
  readonly by: keyof typeof PROOFS;
  readonly requestId: string;
}

const WHY = 'the address of its owner was verified, and someone else may have created the account';

/** What the first proof of an address has changed. */
export interface FirstProof {
  readonly ended: EndedCredentials;
  /** Call it after the commit: resolves when no ended access can be used any more, and begins to send the person a mail. */
  readonly afterCommit: () => Promise<void>;
}

/**
 * Records the first proof that an e-mail address belongs to the person who uses the account. Until then, someone else may
 * have created the account in advance, with credentials that only they know.
 */
export class VerificationService {
  readonly #parts: Parts;
  readonly #sending = new Set<Promise<unknown>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Marks the address as verified, and ends everything older that can sign in or act for the person: password, passkeys,
   * authenticator app, recovery codes, sessions, begun sign-ins, reset links, links to providers, applications, and pending
   * invitations that the account owns. Memberships stay. The caller has locked the account, and gives the person new
   * credentials afterwards. Returns undefined if the address was verified before: then nothing changes.
   */
  async verify(
    tx: Queries,
    account: Account,
    { by, requestId }: EmailProof,
  ): Promise<FirstProof | undefined> {
    if (account.emailVerifiedAtMs !== null) return undefined;
    const { clock, ties } = this.#parts;
    const { accountId } = account;
    const nowMs = clock.now();
    // What issues tokens for a session locks its membership first, then the session.
    await ties.lockTenants(tx, accountId);
    const credentials = await removeCredentials(tx, accountId, nowMs);
    const { applications, awaitEnd } = await ties.endAccess(tx, accountId, WHY);
    const ended = { hadPassword: account.passwordHash !== null, ...credentials, applications };
    await accountStore.setEmailVerified(tx, accountId, nowMs);
    const items = toEndedItems(ended);
    const detail = `E-mail address verified by ${PROOFS[by]}. Ended: ${items.join(', ') || 'nothing'}`;
    const { passkeys, sessions } = ended;
    const fields = {
      by,
      passkeys_ended: passkeys,
      sessions_ended: sessions,
      applications_ended: applications,
    };
    await appendAccountEntry(
      tx,
      { accountId, action: 'account.email_verified', detail, fields, requestId },
      nowMs,
    );
    return {
      ended,
      afterCommit: async () => {
        await awaitEnd();
        if (items.length > 0) this.#send(account.email, items);
      },
    };
  }

  /** Resolves when no mail is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /** The person does not wait for it: the page has the same content. The mailer logs a failure, and never throws. */
  #send(to: string, items: readonly string[]): void {
    const sending = this.#parts.mailer
      .send(toVerificationMail(to, items))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }
}
