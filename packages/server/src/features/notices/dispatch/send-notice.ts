import { Secret } from '../../../platform/crypto/secret.ts';
import type { SecretBox } from '../../../platform/crypto/secret-box.ts';
import type { Mailer } from '../../../platform/mail/mailer.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import { parseRetryAfterMs } from '../../../platform/outbound/retry-after.ts';
import { signDelivery, toSigningSecret } from '../../../platform/outbound/sign-delivery.ts';
import { openTarget } from '../channels/channel-service.ts';
import type { ClaimedMessage } from './claim-message.ts';
import { toSlackBody, toWebhookBody, type WrittenNotice, writeNotice } from './write-notice.ts';

/** The outcome of an attempt. */
export type SendOutcome =
  | { readonly kind: 'sent' }
  /** `canSucceedLater`: nothing is known to be wrong with the message or the channel. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly canSucceedLater: boolean;
      /** For how long the receiver asked for no requests (`Retry-After`). */
      readonly retryAfterMs?: number;
    };

export interface Senders {
  readonly mailer: Pick<Mailer, 'sendOrExplain'>;
  readonly client: Pick<OutboundClient, 'post'>;
  readonly secrets: Pick<SecretBox, 'open'>;
}

/**
 * The receiver rejects this notice, or wants none. Another 4xx concerns the credential in the URL or the route to the
 * receiver, and may be temporary: a service that fails to read its tokens, or a proxy with a wrong route.
 */
const REJECTED: ReadonlySet<number> = new Set([400, 410, 411, 413, 414, 415, 422, 431]);

/** Makes one attempt to send a message. */
export async function sendNotice(
  message: ClaimedMessage,
  { senders, consoleUrl, nowMs }: { senders: Senders; consoleUrl: string; nowMs: number },
): Promise<SendOutcome> {
  const { tenantId, tenantName, channel, notice } = message;
  const written = writeNotice(notice, { tenantId, tenantName, consoleUrl });
  if (channel.kind === 'email') return sendMail(message, { mailer: senders.mailer, written });
  const target = openTarget(senders.secrets, tenantId, channel);
  if (!target) return failed('The URL of the channel cannot be read; set it again', true);
  const isSlack = channel.kind === 'slack';
  const body = Buffer.from(isSlack ? toSlackBody(written) : toWebhookBody(notice, written, tenantId));
  const headers = isSlack
    ? { 'content-type': 'application/json' }
    : signDelivery(body, {
        eventId: notice.noticeId,
        idempotencyKey: notice.noticeId,
        timestampS: Math.floor(nowMs / 1000),
        secrets: [toSigningSecret(new Secret(target.secret ?? ''))],
      });
  return toOutcome(await senders.client.post(target.url, { headers, body }), nowMs);
}

async function sendMail(
  { channel, notice }: ClaimedMessage,
  { mailer, written }: { mailer: Pick<Mailer, 'sendOrExplain'>; written: WrittenNotice },
): Promise<SendOutcome> {
  const { subject, text } = written;
  const mail = { to: channel.address ?? '', subject, text, id: notice.noticeId };
  const { outcome, refusedWith } = await mailer.sendOrExplain(mail);
  if (outcome === 'sent') return { kind: 'sent' };
  if (outcome === 'none') return failed('The service has no mail server (SERVICE_SMTP_URL)', false);
  if (refusedWith === undefined) {
    return failed('The mail could not be sent; the log of the service has the reason', true);
  }
  return failed(`The mail server refused the mail with ${refusedWith}`, refusedWith < 500);
}

function toOutcome(outcome: PostOutcome, nowMs: number): SendOutcome {
  if (outcome.kind === 'failed') return failed(outcome.message, outcome.reason !== 'target');
  const { status } = outcome;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const isFinal = status < 400 || REJECTED.has(status);
  const retryAfterMs = parseRetryAfterMs(outcome.retryAfter, nowMs);
  return { ...failed(`The receiver responded with ${status}`, !isFinal), retryAfterMs };
}

function failed(error: string, canSucceedLater: boolean): SendOutcome & { kind: 'failed' } {
  return { kind: 'failed', error, canSucceedLater };
}
