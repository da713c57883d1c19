import { THREAT_EVENT_LIMIT } from '@tps/contract';
import { expect, test } from 'vitest';
import type { TenantId } from '../../platform/tenant-id.ts';
import { toFeedEvent } from '../feed/index.ts';
import { canJoin, openThreat } from './threat.ts';

const windows = { gapMs: 86_400_000, spanMs: 604_800_000 };

const event = toFeedEvent(
  {
    event_id: 'evt_1',
    type: 'risk.event.created',
    timestamp: '2026-03-02T09:15:03.000Z',
    tenant_id: 'tnt_1',
    device_id: 'dev_1',
    threat_category: 'phishing',
    confidence: 0.9,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'high',
  },
  { tenantId: 'tnt_1' as TenantId, position: 1, receivedAtMs: 1, decidedAtMs: 1, deviceChain: 'unchained' },
);

test('a threat takes no more events than a correction may have to read', () => {
  const threat = openThreat(event);
  expect(canJoin({ ...threat, eventCount: THREAT_EVENT_LIMIT - 1 }, event, windows)).toBe(true);
  expect(canJoin({ ...threat, eventCount: THREAT_EVENT_LIMIT }, event, windows)).toBe(false);
});
