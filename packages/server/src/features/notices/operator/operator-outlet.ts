import type { Secret } from '../../../platform/crypto/secret.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { toSlackBody } from '../dispatch/write-notice.ts';

export interface OperatorMessage {
  /** The same for a message that is sent again. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** Where notices to the operator go. Undefined: not there. */
export interface OperatorTargets {
  readonly url: Secret | undefined;
  readonly mailTo: string | undefined;
}

/** Sends messages to the operator without the store, which may be what fails. */
export class OperatorOutlet {
  readonly #targets: OperatorTargets;
  readonly #parts: {
    readonly mailer: Pick<Mailer, 'send'>;
    readonly client: Pick<OutboundClient, 'post'>;
    readonly logger: Logger;
  };
  /** Messages that one of two targets has got already. */
  readonly #delivered = new Set<string>();

  constructor(
    targets: OperatorTargets,
    parts: {
      mailer: Pick<Mailer, 'send'>;
      client: Pick<OutboundClient, 'post'>;
      logger: Logger;
    },
  ) {
    this.#targets = targets;
    this.#parts = parts;
  }

  /** Returns whether all targets have the message. A repeat goes only to those that do not have it. */
  async send(message: OperatorMessage): Promise<boolean> {
    const { url, mailTo } = this.#targets;
    const results = await Promise.all([
      url === undefined || this.#once(`url ${message.id}`, () => this.#post(url.reveal(), message)),
      mailTo === undefined || this.#once(`mail ${message.id}`, () => this.#mail(mailTo, message)),
    ]);
    const isComplete = results.every(Boolean);
    if (isComplete) for (const target of ['url', 'mail']) this.#delivered.delete(`${target} ${message.id}`);
    return isComplete;
  }

  async #once(key: string, send: () => Promise<boolean>): Promise<boolean> {
    if (this.#delivered.has(key)) return true;
    const isSent = await send();
    if (isSent) this.#delivered.add(key);
    return isSent;
  }

  async #mail(to: string, { id, subject, text }: OperatorMessage): Promise<boolean> {
    return (await this.#parts.mailer.send({ to, id, subject, text })) === 'sent';
  }

  async #post(url: string, { text }: OperatorMessage): Promise<boolean> {
    const { client, logger } = this.#parts;
    const headers = { 'content-type': 'application/json' };
    const outcome = await client.post(url, { headers, body: toSlackBody({ text }) });
    if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return true;
    // Neither the URL nor its response: both may hold a secret.
    const reason = outcome.kind === 'answered' ? `status ${outcome.status}` : outcome.message;
    logger.error({ reason }, 'notice to SERVICE_NOTICE_URL could not be sent');
    return false;
  }
}
