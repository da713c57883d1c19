import type { Logger } from '../logger.ts';
import type { Mail } from './mail.ts';
import {
  type MailFailure,
  openTransport,
  type SmtpServer,
  type SmtpTransport,
  toMailFailure,
} from './smtp-transport.ts';

/** `none`: the service sends no mail. */
export type MailOutcome = 'sent' | 'failed' | 'none';

/** `refusedWith`: the status with which the mail server refused this mail (RFC 5321); 5xx is final. */
export interface MailResult {
  readonly outcome: MailOutcome;
  readonly refusedWith?: number;
}

/** Mails that may be under way at a time. More would only wait for a mail server that is slow or down. */
const MAX_UNDER_WAY = 16;
/** Codes of Nodemailer for a refused sender, recipient or text. Others, such as a wrong password, concern all mails. */
const REFUSALS: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE']);
/** A person waits for the outcome. */
const DEADLINE_MS = 15_000;

/** Sends mail through the configured server. Call it after the commit: it takes seconds and is not repeated. */
export class Mailer {
  readonly #server: SmtpServer | undefined;
  readonly #logger: Logger;
  #transport: Promise<SmtpTransport> | undefined;
  #underWay = 0;

  /** Without a server, no mail is sent. */
  constructor({ server, logger }: { server: SmtpServer | undefined; logger: Logger }) {
    this.#server = server;
    this.#logger = logger;
  }

  /** Whether a mail server is configured. */
  get isOn(): boolean {
    return this.#server !== undefined;
  }

  /**
   * Returns `sent` once the mail server has accepted the mail. Never throws: why a mail failed is logged, without its
   * text, which may contain a link that only its reader may see.
   */
  async send(mail: Mail): Promise<MailOutcome> {
    return (await this.sendOrExplain(mail)).outcome;
  }

  /** Like `send`, and also returns with which status the server refused the mail. */
  async sendOrExplain(mail: Mail): Promise<MailResult> {
    if (!this.#server) return { outcome: 'none' };
    if (this.#underWay >= MAX_UNDER_WAY) {
      this.#logger.error({ underWay: this.#underWay }, 'mail not sent: too many mails are under way');
      return { outcome: 'failed' };
    }
    this.#underWay += 1;
    // Counted until it has really ended, which may be after the deadline.
    const ended = this.#deliver(mail, this.#server).finally(() => {
      this.#underWay -= 1;
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<MailFailure>((resolve) => {
      timer = setTimeout(() => resolve({ reason: `no outcome after ${DEADLINE_MS} ms` }), DEADLINE_MS);
    });
    const failure = await Promise.race([ended, late]);
    clearTimeout(timer);
    if (failure === undefined) return { outcome: 'sent' };
    this.#logger.error(failure, 'mail could not be sent');
    const { reason, smtp_status: status } = failure;
    const isRefused = status !== undefined && REFUSALS.has(reason);
    return { outcome: 'failed', ...(isRefused ? { refusedWith: status } : {}) };
  }

  /** Returns why it failed. */
  async #deliver(mail: Mail, server: SmtpServer): Promise<MailFailure | undefined> {
    try {
      this.#transport ??= openTransport(server);
      await (await this.#transport)(mail);
      return undefined;
    } catch (cause) {
      return toMailFailure(cause);
    }
  }
}
