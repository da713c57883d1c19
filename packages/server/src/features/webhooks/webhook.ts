import { hash } from 'node:crypto';
import type {
  CircuitState,
  DisabledReason,
  Severity,
  Webhook,
  WebhookChange,
  WebhookStatus,
} from '@tps/contract';
import type { SealedSecret } from '../../platform/crypto/secret-box.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

export interface WebhookRecord {
  readonly webhookId: string;
  readonly url: string;
  /** Null means all severities. */
  readonly severities: readonly Severity[] | null;
  /** Whether the service replays dead letters itself. */
  readonly autoReplay: boolean;
  readonly status: WebhookStatus;
  readonly disabledReason: DisabledReason | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly secret: SealedSecret;
  /** The secret before the last rotation; it also signs until `untilMs`. */
  readonly previous: { readonly secret: SealedSecret; readonly untilMs: number } | null;
}

/** The state of deliveries to a webhook. */
export interface WebhookState {
  readonly webhookId: string;
  readonly lastStatus: 'delivered' | 'failed' | 'retrying';
  readonly lastError: string | null;
  readonly lastAtMs: number;
  readonly lastAttempts: number;
  /** The first failure since the last success. */
  readonly failingSinceMs: number | null;
}

/** Whether the receiver of a webhook responds, as far as it matters for its dead letters. */
export interface CircuitStatus {
  readonly webhookId: string;
  readonly state: Exclude<CircuitState, 'closed'>;
  readonly dueAtMs: number;
}

/** Which events a webhook receives. */
export type WebhookFilter = Pick<WebhookRecord, 'webhookId' | 'severities'>;

/** Whether the webhook receives events of this severity. */
export function wants({ severities }: WebhookFilter, severity: Severity): boolean {
  return severities === null || severities.includes(severity);
}

/** Why a webhook was disabled with the reason `secret_lost`. */
export const SECRET_LOST =
  'no running process can read its secret; replace it with POST /webhooks/{id}/rotate-secret';

/** What a webhook's secret is bound to in the store. */
export function secretBinding(tenantId: string, webhookId: string): readonly string[] {
  return ['webhook', tenantId, webhookId];
}

/** Applies a change. Returns the same record if nothing changes. */
export function changeWebhook(webhook: WebhookRecord, change: WebhookChange, nowMs: number): WebhookRecord {
  const { url = webhook.url, severity_filter: severities = webhook.severities } = change;
  const { auto_replay: autoReplay = webhook.autoReplay } = change;
  const { status = webhook.status } = change;
  const after = {
    ...withStatus(webhook, status, 'requested'),
    url,
    severities,
    autoReplay,
    updatedAtMs: nowMs,
  };
  return status === webhook.status && hasSameSettings(webhook, after) ? webhook : after;
}

/** Sets the status of the webhook. If it has that status already, its reason stays. */
export function withStatus(
  webhook: WebhookRecord,
  status: WebhookStatus,
  reason: DisabledReason,
): WebhookRecord {
  if (status === webhook.status) return webhook;
  return { ...webhook, status, disabledReason: status === 'disabled' ? reason : null };
}

/** Whether both post the same events to the same URL, and replay alike. */
export function hasSameSettings(one: WebhookRecord, other: WebhookRecord): boolean {
  return (
    one.url === other.url &&
    one.autoReplay === other.autoReplay &&
    JSON.stringify(one.severities) === JSON.stringify(other.severities)
  );
}

/**
 * Sets a new secret. The current one also signs during the overlap; older ones do not. A webhook that was disabled
 * because its secret was lost becomes active.
 */
export function rotateWebhook(
  webhook: WebhookRecord,
  secret: SealedSecret,
  { overlapS, nowMs }: { overlapS: number; nowMs: number },
): WebhookRecord {
  const previous = overlapS === 0 ? null : { secret: webhook.secret, untilMs: nowMs + overlapS * 1000 };
  const status = webhook.disabledReason === 'secret_lost' ? 'active' : webhook.status;
  return { ...withStatus(webhook, status, 'requested'), secret, previous, updatedAtMs: nowMs };
}

/** The part of a URL that may be recorded: many receivers have a token in the query or, like Slack, in the path. */
export function toShownUrl(url: string): string {
  return new URL(url).origin;
}

/**
 * Returns the SHA-256, in lower-case hex, of the whole URL. The audit entries of the webhook have it, so that another URL of
 * the same origin is noticed. A secret in the URL cannot be taken out of it.
 */
export function digestOfUrl({ webhookId, url }: Pick<WebhookRecord, 'webhookId' | 'url'>): string {
  return hash('sha256', JSON.stringify([webhookId, url]));
}

export function toWebhook(
  webhook: WebhookRecord,
  { state, circuit }: { state: WebhookState | undefined; circuit: CircuitStatus | undefined },
  { tenantId, nowMs }: { tenantId: string; nowMs: number },
): Webhook {
  const { previous } = webhook;
  const isProbed = circuit?.state === 'open' && webhook.autoReplay && webhook.status === 'active';
  return {
    webhook_id: webhook.webhookId,
    tenant_id: tenantId,
    url: webhook.url,
    severity_filter: webhook.severities && [...webhook.severities],
    auto_replay: webhook.autoReplay,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    created_at: toTimestamp(webhook.createdAtMs),
    updated_at: toTimestamp(webhook.updatedAtMs),
    previous_secret_until: previous && previous.untilMs > nowMs ? toTimestamp(previous.untilMs) : null,
    circuit: webhook.autoReplay ? (circuit?.state ?? 'closed') : 'closed',
    next_probe_at: isProbed ? toTimestamp(circuit.dueAtMs) : null,
    last_delivery_status: state?.lastStatus ?? null,
    last_delivery_error: state?.lastError ?? null,
    last_delivery_at: toOptionalTimestamp(state?.lastAtMs ?? null),
    last_delivery_attempts: state?.lastAttempts ?? null,
  };
}

/** Identifies a webhook among those of all tenants. */
export interface WebhookKey {
  readonly tenantId: TenantId;
  readonly webhookId: string;
}

export function webhookKeyOf({ tenantId, webhookId }: WebhookKey): string {
  return `${tenantId} ${webhookId}`;
}
