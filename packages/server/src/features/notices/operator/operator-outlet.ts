import type { Clock } from '../../../platform/clock.ts';
import type { Secret } from '../../../platform/crypto/secret.ts';
import type { Logger } from '../../../platform/logger.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { parseRetryAfterMs } from '../../../platform/outbound/retry-after.ts';
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

interface SendResult {
  readonly isSent: boolean;
  /** For how long the target asked for no requests (`Retry-After`). */
  readonly retryAfterMs: number;
}

interface Parts {
  readonly mailer: Pick<Mailer, 'send'>;
  readonly client: Pick<OutboundClient, 'post'>;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Sends messages to the operator without the store, which may be what fails. */
export class OperatorOutlet {
  readonly #targets: ReadonlyMap<string, (message: OperatorMessage) => Promise<SendResult>>;

  constructor({ url, mailTo }: OperatorTargets, parts: Parts) {
    const targets = new Map<string, (message: OperatorMessage) => Promise<SendResult>>();
    if (url !== undefined) targets.set('url', (message) => post(parts, url, message));
    if (mailTo !== undefined) targets.set('mail', (message) => mail(parts, mailTo, message));
    this.#targets = targets;
  }

  /**
   * Sends to the targets that do not have the message yet. Returns the targets that have it now, whether these are all, and
   * the longest pause that the others ask for.
   */
  async send(
    message: OperatorMessage,
    delivered: readonly string[],
  ): Promise<{ delivered: string[]; isComplete: boolean; retryAfterMs: number }> {
    const results = await Promise.all(
      [...this.#targets].map(async ([name, send]) => {
        const result = delivered.includes(name) ? { isSent: true, retryAfterMs: 0 } : await send(message);
        return { name, ...result };
      }),
    );
    const reached = results.filter(({ isSent }) => isSent).map(({ name }) => name);
    return {
      delivered: reached,
      isComplete: reached.length === this.#targets.size,
      retryAfterMs: Math.max(0, ...results.map(({ retryAfterMs }) => retryAfterMs)),
    };
  }
}

async function mail(
  { mailer }: Parts,
  to: string,
  { id, subject, text }: OperatorMessage,
): Promise<SendResult> {
  return { isSent: (await mailer.send({ to, id, subject, text })) === 'sent', retryAfterMs: 0 };
}

async function post(
  { client, logger, clock }: Parts,
  url: Secret,
  { text }: OperatorMessage,
): Promise<SendResult> {
  const headers = { 'content-type': 'application/json' };
  const outcome = await client.post(url.reveal(), { headers, body: toSlackBody({ text }) });
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300)
    return { isSent: true, retryAfterMs: 0 };
  // Neither the URL nor its response: both may hold a secret.
  const reason = outcome.kind === 'answered' ? `status ${outcome.status}` : outcome.message;
  logger.error({ reason }, 'notice to SERVICE_NOTICE_URL could not be sent');
  const retryAfter = outcome.kind === 'answered' ? outcome.retryAfter : undefined;
  return { isSent: false, retryAfterMs: parseRetryAfterMs(retryAfter, clock.now()) };
}
