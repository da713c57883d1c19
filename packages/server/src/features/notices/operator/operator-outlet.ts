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

interface Parts {
  readonly mailer: Pick<Mailer, 'send'>;
  readonly client: Pick<OutboundClient, 'post'>;
  readonly logger: Logger;
}

/** Sends messages to the operator without the store, which may be what fails. */
export class OperatorOutlet {
  readonly #targets: ReadonlyMap<string, (message: OperatorMessage) => Promise<boolean>>;

  constructor({ url, mailTo }: OperatorTargets, parts: Parts) {
    const targets = new Map<string, (message: OperatorMessage) => Promise<boolean>>();
    if (url !== undefined) targets.set('url', (message) => post(parts, url, message));
    if (mailTo !== undefined) targets.set('mail', (message) => mail(parts, mailTo, message));
    this.#targets = targets;
  }

  /** Sends to the targets that do not have the message yet. Returns the targets that have it now, and whether these are all. */
  async send(
    message: OperatorMessage,
    delivered: readonly string[],
  ): Promise<{ delivered: string[]; isComplete: boolean }> {
    const results = await Promise.all(
      [...this.#targets].map(async ([name, send]) => {
        return delivered.includes(name) || (await send(message)) ? [name] : [];
      }),
    );
    const reached = results.flat();
    return { delivered: reached, isComplete: reached.length === this.#targets.size };
  }
}

async function mail({ mailer }: Parts, to: string, { id, subject, text }: OperatorMessage): Promise<boolean> {
  return (await mailer.send({ to, id, subject, text })) === 'sent';
}

async function post({ client, logger }: Parts, url: Secret, { text }: OperatorMessage): Promise<boolean> {
  const headers = { 'content-type': 'application/json' };
  const outcome = await client.post(url.reveal(), { headers, body: toSlackBody({ text }) });
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300) return true;
  // Neither the URL nor its response: both may hold a secret.
  const reason = outcome.kind === 'answered' ? `status ${outcome.status}` : outcome.message;
  logger.error({ reason }, 'notice to SERVICE_NOTICE_URL could not be sent');
  return false;
}
