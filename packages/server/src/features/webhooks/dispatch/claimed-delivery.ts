import type { SigningSecret } from '../../../platform/outbound/sign-delivery.ts';
import type { WebhookKey, WebhookState } from '../webhook.ts';

/** A delivery that this process may attempt until its lease ends, with everything needed for the attempt. */
export interface ClaimedDelivery extends WebhookKey {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly isTest: boolean;
  /** The event's stored text. Deliveries of one event that were claimed together share it. */
  readonly body: Buffer;
  /** How often it was claimed, including this time. */
  readonly claims: number;
  /** Attempts recorded so far. */
  readonly attempts: number;
  /** When it became a dead letter, if the service is replaying it; null otherwise. */
  readonly replayedSinceMs: number | null;
  /** Whether its receiver waited for a probe when it was claimed. */
  readonly isCircuitOpen: boolean;
  readonly leaseEndsAtMs: number;
  readonly url: string;
  /** Undefined when the webhook's secret cannot be read. */
  readonly signing: SigningSecrets | undefined;
  /** The result of the webhook's last attempt by any process; null before the first. */
  readonly lastStatus: WebhookState['lastStatus'] | null;
}

/** The secrets that sign the deliveries of a webhook. The previous secret signs until `untilMs`. */
export interface SigningSecrets {
  readonly secret: SigningSecret;
  readonly previous: { readonly secret: SigningSecret; readonly untilMs: number } | undefined;
}
