import type { TenantId } from '../../../../platform/tenant-id.ts';
import { correlationKeysOf } from '../../../feed/feed-event.ts';
import type { FeedEvent } from '../../../feed/index.ts';
import { FeedModel } from './feed-model.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 0, 20);

/** Derives decisions one by one, at the times given by `atMs`. */
export function deriveAll(
  events: readonly (Partial<FeedEvent> & { atMs?: number; corrects?: number })[],
): FeedModel {
  const model = new FeedModel();
  const made: FeedEvent[] = [];
  for (const { atMs = 0, corrects, ...members } of events) {
    const root = corrects === undefined ? undefined : made[corrects];
    const content = {
      tenantId: 'tnt_1' as TenantId,
      eventId: `evt_${made.length}`,
      position: made.length + 1,
      receivedAtMs: START_MS + 30 * DAY_MS + made.length,
      decidedAtMs: root?.decidedAtMs ?? START_MS + atMs,
      deviceId: 'dev_1',
      category: 'phishing' as const,
      confidence: 0.5,
      action: 'block' as const,
      policyId: 'pol_1',
      severity: 'medium' as const,
      description: undefined,
      indicators: ['sig:1'],
      deviceChain: 'unchained' as const,
      ...members,
    };
    const event: FeedEvent = {
      ...content,
      correlationKeys: correlationKeysOf(content.indicators, content.policyId),
    };
    made.push(event);
    model.add(event, root?.eventId ?? null);
  }
  return model;
}
