import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { PostOutcome } from '../../../platform/outbound/outcome.ts';
import { type SigningSecret, signDelivery } from '../../../platform/outbound/sign-delivery.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { redactResponse } from './redact-response.ts';
import type { NextStep } from './retry-policy.ts';

/** An attempt, its outcome and the next step. */
export interface DeliveryAttempt {
  readonly delivery: ClaimedDelivery;
  readonly outcome: PostOutcome;
  readonly nextStep: NextStep;
  /** When the outcome was known. */
  readonly atMs: number;
}

interface AttemptParts {
  readonly client: OutboundClient;
  readonly nowMs: number;
  /** Further headers, which say what the attempt belongs to. The signature does not cover them. */
  readonly origin: Readonly<Record<string, string>>;
}

/** Posts one delivery with a new signature. Never throws: a failure is an outcome. */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  { client, nowMs, origin }: AttemptParts,
): Promise<PostOutcome> {
  const { signing } = delivery;
  if (!signing) return unreadable();
  const { secret, previous } = signing;
  const secrets: readonly [SigningSecret, SigningSecret?] =
    previous && previous.untilMs > nowMs ? [secret, previous.secret] : [secret];
  const { body } = delivery;
  const headers = signDelivery(body, {
    eventId: delivery.eventId,
    idempotencyKey: `${delivery.deliveryId}.${delivery.claims}`,
    timestampS: Math.floor(nowMs / 1000),
    secrets,
  });
  const outcome = await client.post(delivery.url, { headers: { ...headers, ...origin }, body });
  return outcome.kind === 'answered'
    ? {
        ...outcome,
        excerpt: redactResponse(
          outcome.excerpt,
          secrets.flatMap((each) => (each ? [each.secret] : [])),
        ),
      }
    : outcome;
}

function unreadable(): PostOutcome {
  return {
    kind: 'failed',
    // Transient: it succeeds when the secret has been replaced.
    reason: 'connection',
    message: 'The secret of the webhook cannot be read; replace it',
    durationMs: 0,
  };
}
