import type { SealedSecret } from '../../platform/secret-box.ts';
import type { TenantId } from '../../platform/tenant-id.ts';

/** Names a webhook among those of all tenants. */
export interface WebhookKey {
  readonly tenantId: TenantId;
  readonly webhookId: string;
}

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
  readonly deadAtMs: number | null;
  readonly leaseEndsAtMs: number;
  readonly url: string;
  readonly secret: SealedSecret;
  readonly previous: { readonly secret: SealedSecret; readonly untilMs: number } | null;
  /** The webhook's first failure since its last success. */
  readonly failingSinceMs: number | null;
}

export function webhookKeyOf({ tenantId, webhookId }: WebhookKey): string {
  return `${tenantId} ${webhookId}`;
}
