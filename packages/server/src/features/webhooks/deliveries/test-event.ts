import type { Event } from '@tps/contract';
import { toCanonicalJson } from '../../../platform/canonical-json.ts';
import { toTimestamp } from '../../../platform/time.ts';

/**
 * Creates the event that a test of a webhook delivers. It is in no feed; `metadata.test` distinguishes it from a
 * real one.
 */
export function makeTestEvent(parts: {
  eventId: string;
  tenantId: string;
  webhookId: string;
  nowMs: number;
}): string {
  const event: Event & { metadata: { test: true } } = {
    event_id: parts.eventId,
    type: 'risk.event.created',
    timestamp: toTimestamp(parts.nowMs),
    tenant_id: parts.tenantId,
    device_id: 'dev_test',
    threat_category: 'phishing',
    confidence: 1,
    action_taken: 'warn',
    policy_id: 'pol_test',
    severity: 'low',
    description: `Test of webhook ${parts.webhookId}: nothing was detected`,
    metadata: { test: true },
  };
  return toCanonicalJson(event);
}
