import type { Event } from '@tps/client';

const FILE_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function sampleEvent(members: Partial<Event> = {}): Event {
  return {
    event_id: 'evt_1',
    type: 'risk.event.created',
    timestamp: '2026-03-01T09:30:00.250Z',
    tenant_id: 'tnt_a',
    device_id: 'dev_reception',
    threat_category: 'malicious_app',
    confidence: 0.936,
    action_taken: 'block',
    policy_id: 'pol_app-guard',
    severity: 'high',
    description: 'Package installed from [email]',
    indicators: [FILE_HASH, `url:sha256:${FILE_HASH}`, '203.0.113.0/24', 'npm:left-padd@1.0.3'],
    metadata: { agent_version: '2.1.0', device_platform: 'android', model_version: '4.2.0' },
    ...members,
  };
}
