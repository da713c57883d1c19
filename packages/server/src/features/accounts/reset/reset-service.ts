import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import { TenantSlots } from '../../../platform/concurrency/tenant-slots.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import { type Account, type AccountId, isPersonName, toEmailKey, toMailboxKey } from '../account.ts';
import { type AccountService, isFieldRefusal, NAME_REFUSAL } from '../account-service.ts';
import * as accountStore from '../account-store.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import type { Attempt, LoginThrottle } from '../throttling/login-throttle.ts';
import type { EndedCredentials } from '../verification/ended-credentials.ts';
import type { VerificationService } from '../verification/verification-service.ts';
import { createResetLink } from './create-reset-link.ts';

/** The part of the mailer used here. `send` resolves when the mail server has taken the mail or refused it. */
interface ResetMailer {
  /** Whether a mail server is configured. */
  readonly isOn: boolean;
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

export type ResetOutcome =
  /** `ended`: the link has verified the address, and this has ended. */
  | { readonly kind: 'done'; readonly ended?: EndedCredentials | undefined }
  | { readonly kind: 'delayed'; readonly retryAfterSeconds: number }
  /** The link is unknown, expired or used: they look the same. */
  | { readonly kind: 'invalid_link' }
  | { readonly kind: 'refused'; readonly problem: string };

const LINK_MS = 60 * 60_000;
/** Mails at a time. Anyone can request them, so the rest of the mailer is for other mails. */
const MAX_SENDING = 4;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: AccountService;
  readonly verification: VerificationService;
  readonly throttle: LoginThrottle;
  readonly mailer: ResetMailer;
}

/** Lets people set a new password through a link that is sent to their address. */
export class ResetService {
  readonly #parts: Parts;
  readonly #sending = new Set<Promise<void>>();
  readonly #slots = new TenantSlots(MAX_SENDING);
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Whether links can be sent. */
  get isAvailable(): boolean {
    return this.#parts.mailer.isOn;
  }

  /**
   * Sends a link if an account has this address. The outcome does not depend on it, and neither does the time: the link is
   * made and sent after the response.
   */
  async request(request: WebRequest, email: string): Promise<ResetOutcome> {
    const { throttle, mailer, logger } = this.#parts;
    const attempt = await throttle.admit([
      { budget: 'mail', value: toMailboxKey(email) },
      { budget: 'address', value: request.peer },
    ]);
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    if (!mailer.isOn) return { kind: 'done' };
    const { site, requestId } = request;
    const sending = this.#send(email, `${site.url}/reset`)
      .catch((err: unknown) => logger.warn({ err, requestId }, 'password reset mail failed'))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return { kind: 'done' };
  }

  /** Returns the account of a link that can still be used. Does not use it up. */
  async find(secret: string): Promise<Account | undefined> {
    const { database, clock } = this.#parts;
    const challenge = { secret, kind: 'password_reset', nowMs: clock.now() } as const;
    const { accountId } = (await challengeStore.find(database.read, challenge)) ?? {};
    const account = accountId ? await accountStore.find(database.read, accountId) : undefined;
    return account?.disabledAtMs === null ? account : undefined;
  }

  /**
   * Sets a new password, ends all sessions and uses the link up. If the link is the first proof that the address belongs to the
   * person, everything older ends, and the account gets the name, if there is one: someone else may have chosen the earlier one.
   */
  async setPassword(
    request: WebRequest,
    { secret, password, name }: { secret: string; password: string; name: string | undefined },
  ): Promise<ResetOutcome> {
    const { throttle, accounts } = this.#parts;
    const attempt = await throttle.admit([{ budget: 'link', value: request.peer }]);
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    const account = await this.find(secret);
    if (!account) return { kind: 'invalid_link' };
    const prepared =
      name !== undefined && !isPersonName(name)
        ? NAME_REFUSAL
        : await accounts.preparePassword(account, password);
    if (isFieldRefusal(prepared)) {
      await this.#parts.database.transaction((tx) => throttle.succeed(tx, attempt));
      return { kind: 'refused', problem: prepared.problem };
    }
    const { accountId } = account;
    const { passwordHash } = prepared;
    return this.#change(request, { secret, attempt, accountId, passwordHash, name });
  }

  /** Resolves when no mail is under way. Those that wait are not sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#sending);
  }

  async #change(
    { requestId }: WebRequest,
    wanted: {
      secret: string;
      attempt: Attempt;
      accountId: AccountId;
      passwordHash: string;
      name: string | undefined;
    },
  ): Promise<ResetOutcome> {
    const { database, throttle, accounts, verification, clock } = this.#parts;
    const { secret, attempt, accountId, passwordHash, name } = wanted;
    const set = await database.transaction(
      async (tx) => {
        await throttle.succeed(tx, attempt);
        const account = await accountStore.findForUpdate(tx, accountId);
        const taken = await challengeStore.take(tx, { secret, kind: 'password_reset', nowMs: clock.now() });
        if (!taken || account?.disabledAtMs !== null) return undefined;
        await throttle.clear(tx, [{ budget: 'account', value: toEmailKey(account.email) }]);
        const firstProof = await verification.verify(tx, account, { by: 'reset_link', requestId });
        if (firstProof && name !== undefined) await accountStore.setName(tx, accountId, name.trim());
        await accounts.setPassword(tx, accountId, { passwordHash, requestId });
        return { firstProof };
      },
      { repeatable: true },
    );
    if (!set) return { kind: 'invalid_link' };
    await set.firstProof?.afterCommit();
    return { kind: 'done', ended: set.firstProof?.ended };
  }

  async #send(email: string, pageUrl: string): Promise<void> {
    const { database, clock, mailer } = this.#parts;
    const account = await accountStore.findByEmail(database.read, email);
    // Also without a password: people whom a provider has signed in set their first one like this.
    if (account?.disabledAtMs !== null) return;
    const { accountId } = account;
    const link = await database.transaction((tx) =>
      createResetLink(tx, { accountId, pageUrl, nowMs: clock.now(), lifetimeMs: LINK_MS }),
    );
    // To the stored spelling of the address: another one that looks alike may belong to someone else.
    const text = toText(link.reveal());
    const mail = { to: account.email, subject: 'Set a new password', text };
    await this.#slots.run('', async () => this.#isClosed || mailer.send(mail));
  }
}

/** Omits the name of the account: someone else may have created it, and put a text for the owner of the address there. */
function toText(link: string): string {
  return `Someone asked to set a new password for your account of the Threat Protection Service.
Open this link within an hour to do so:

${link}

If this was not you, delete this mail. Your password has not changed.
`;
}
