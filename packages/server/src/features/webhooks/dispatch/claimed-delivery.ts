import type { Secret } from '../../../platform/crypto/secret.ts';
import type { WebhookKey, WebhookState } from '../webhook.ts';

/** A delivery that this process may attempt until its lease ends, with all it takes to do so. */
export interface ClaimedDelivery extends WebhookKey {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly isTest: boolean;
  /** The event's stored text. */
  readonly body: string;
  /** How often it was claimed, this time included. */
  readonly claims: number;
  /** Attempts that were recorded before. */
  readonly attempts: number;
  readonly leaseEndsAtMs: number;
  readonly url: string;
  /** Undefined when the webhook's secret cannot be read. */
  readonly signing: SigningSecrets | undefined;
  /** How the webhook's last attempt ended, whoever made it; null before the first. */
  readonly lastStatus: WebhookState['lastStatus'] | null;
}

/** What signs the deliveries of a webhook. The secret before the last rotation signs until then. */
export interface SigningSecrets {
  readonly secret: Secret;
  readonly previous: { readonly secret: Secret; readonly untilMs: number } | undefined;
}
