import type { Event } from '@tps/contract';

export const DEVICE_ID = 'dev_1';

export function eventNumber(number: number): Event {
  return {
    event_id: `evt_${number}`,
    type: 'risk.event.created',
    timestamp: '2026-03-02T09:15:03.000Z',
    tenant_id: 'tnt_1',
    device_id: DEVICE_ID,
    threat_category: 'phishing',
    confidence: 0.97,
    action_taken: 'block',
    policy_id: 'pol_1',
    severity: 'high',
    description: 'A look-alike login page — déjà vu',
  };
}
