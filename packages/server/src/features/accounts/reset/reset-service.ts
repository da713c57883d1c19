import type { Database } from '../../../database/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { WebRequest } from '../../../platform/web/web-route.ts';
import { type Account, toEmailKey } from '../account.ts';
import { type AccountService, isFieldRefusal } from '../account-service.ts';
import * as accountStore from '../account-store.ts';
import * as challengeStore from '../challenges/challenge-store.ts';
import type { LoginThrottle } from '../throttling/login-throttle.ts';
import { createResetLink } from './create-reset-link.ts';

/** The part of the mailer used here. `send` resolves when the mail server has taken the mail or refused it. */
interface ResetMailer {
  /** Whether a mail server is configured. */
  readonly isOn: boolean;
  send(mail: { to: string; subject: string; text: string }): Promise<unknown>;
}

export type ResetOutcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'delayed'; readonly retryAfterSeconds: number }
  /** The link is unknown, expired or used: they look the same. */
  | { readonly kind: 'invalid_link' }
  | { readonly kind: 'refused'; readonly problem: string };

const LINK_MS = 60 * 60_000;

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: AccountService;
  readonly throttle: LoginThrottle;
  readonly mailer: ResetMailer;
}

/** Lets people set a new password through a link that is sent to their address. */
export class ResetService {
  readonly #parts: Parts;
  readonly #sending = new Set<Promise<void>>();

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
      { budget: 'mail', value: toEmailKey(email) },
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

  /** Returns whether a link can still be used. Does not use it up. */
  async isValid(secret: string): Promise<boolean> {
    return (await this.#find(secret)) !== undefined;
  }

  /** Sets a new password, ends all sessions and uses the link up. */
  async setPassword(
    request: WebRequest,
    { secret, password }: { secret: string; password: string },
  ): Promise<ResetOutcome> {
    const { database, throttle, accounts, clock } = this.#parts;
    const attempt = await throttle.admit([{ budget: 'link', value: request.peer }]);
    if (!attempt.allowed) return { kind: 'delayed', retryAfterSeconds: attempt.retryAfterSeconds };
    const account = await this.#find(secret);
    if (!account) return { kind: 'invalid_link' };
    const { accountId, email } = account;
    const prepared = await accounts.preparePassword(account, password);
    const isSet = await database.transaction(async (tx) => {
      await throttle.succeed(tx, attempt);
      if (isFieldRefusal(prepared)) return undefined;
      await accountStore.findForUpdate(tx, accountId);
      const taken = await challengeStore.take(tx, { secret, kind: 'password_reset', nowMs: clock.now() });
      if (!taken) return undefined;
      await throttle.clear(tx, [{ budget: 'account', value: toEmailKey(email) }]);
      const { requestId } = request;
      return accounts.setPassword(tx, accountId, { passwordHash: prepared.passwordHash, requestId });
    });
    if (isFieldRefusal(prepared)) return { kind: 'refused', problem: prepared.problem };
    return isSet ? { kind: 'done' } : { kind: 'invalid_link' };
  }

  /** Resolves when no mail is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
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
    const text = toText(account, link.reveal());
    await mailer.send({ to: account.email, subject: 'Set a new password', text });
  }

  async #find(secret: string): Promise<Account | undefined> {
    const { database, clock } = this.#parts;
    const challenge = { secret, kind: 'password_reset', nowMs: clock.now() } as const;
    const { accountId } = (await challengeStore.find(database.read, challenge)) ?? {};
    const account = accountId ? await accountStore.find(database.read, accountId) : undefined;
    return account?.disabledAtMs === null ? account : undefined;
  }
}

function toText({ name }: Account, link: string): string {
  return `Hello ${name},

someone asked to set a new password for your account of the Threat Protection Service.
Open this link within an hour to do so:

${link}

If this was not you, delete this mail. Your password has not changed.
`;
}
