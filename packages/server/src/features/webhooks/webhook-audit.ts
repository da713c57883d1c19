import type { TenantId } from '../../platform/tenant-id.ts';
import { toTimestamp } from '../../platform/time.ts';
import type { AuditRecord } from '../audit/index.ts';
import { digestOfUrl, hasSameSettings, toShownUrl, type WebhookRecord } from './webhook.ts';

type Entry = Pick<AuditRecord, 'tenantId' | 'action' | 'resource' | 'detail' | 'fields'>;

const DETAILS = {
  'webhook.create': 'Webhook registered',
  'webhook.update': 'Webhook changed',
  'webhook.enable': 'Webhook enabled',
  'webhook.disable': 'Webhook disabled',
  'webhook.rotate_secret': 'Secret of the webhook replaced',
  'webhook.delete': 'Webhook removed',
} as const;

/**
 * Creates the audit entry of an action on a webhook, given in its new state. Never contains a secret, nor the parts
 * of a URL that may be one.
 */
export function auditOf(tenantId: TenantId, webhook: WebhookRecord, action: keyof typeof DETAILS): Entry {
  return {
    tenantId,
    action,
    resource: { type: 'webhook', id: webhook.webhookId },
    detail: DETAILS[action],
    fields: toFields(webhook, action),
  };
}

/** Creates the audit entries of a change: one for the settings, another for the status. */
export function auditsOfChange(tenantId: TenantId, before: WebhookRecord, after: WebhookRecord): Entry[] {
  const isStatusChanged = before.status !== after.status;
  const statusAction = after.status === 'active' ? 'webhook.enable' : 'webhook.disable';
  return [
    ...(hasSameSettings(before, after) ? [] : [auditOf(tenantId, after, 'webhook.update')]),
    ...(isStatusChanged ? [auditOf(tenantId, after, statusAction)] : []),
  ];
}

function toFields(webhook: WebhookRecord, action: keyof typeof DETAILS): AuditRecord['fields'] {
  const { url, severities, autoReplay, status, disabledReason, previous, updatedAtMs } = webhook;
  const facts = {
    url: toShownUrl(url),
    url_digest: digestOfUrl(webhook),
    severity_filter: severities,
    auto_replay: autoReplay,
    status,
    updated_at: toTimestamp(updatedAtMs),
  };
  if (action === 'webhook.disable') return { ...facts, disabled_reason: disabledReason };
  if (action !== 'webhook.rotate_secret') return facts;
  return { ...facts, previous_secret_until: previous && toTimestamp(previous.untilMs) };
}
