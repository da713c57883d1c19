import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import type { PostOutcome } from '../../platform/outbound/outcome.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { secretBinding } from '../webhooks/index.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { scrub } from './scrub.ts';
import { signDelivery } from './sign-delivery.ts';

/** Posts one delivery, signed anew. Never throws: what went wrong is an outcome. */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  { client, secrets, nowMs }: { client: OutboundClient; secrets: SecretBox; nowMs: number },
): Promise<PostOutcome> {
  const binding = secretBinding(delivery.tenantId, delivery.webhookId);
  const secret = secrets.open(delivery.secret, binding);
  if (!secret) return unreadable();
  const overlaps = delivery.previous !== null && delivery.previous.untilMs > nowMs;
  const previous = overlaps ? secrets.open(delivery.previous.secret, binding) : undefined;
  const headers = signDelivery(delivery.body, {
    eventId: delivery.eventId,
    idempotencyKey: `${delivery.deliveryId}.${delivery.claims}`,
    timestampS: Math.floor(nowMs / 1000),
    secret,
    previous,
  });
  const outcome = await client.post(delivery.url, { headers, body: delivery.body });
  return outcome.kind === 'answered'
    ? { ...outcome, excerpt: scrub(outcome.excerpt, [secret, ...(previous ? [previous] : [])]) }
    : outcome;
}

function unreadable(): PostOutcome {
  return {
    kind: 'failed',
    reason: 'target',
    message: 'The secret of the webhook cannot be read; rotate it',
    durationMs: 0,
  };
}
