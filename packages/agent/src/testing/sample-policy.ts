import type { Policy } from '@tps/contract';

/** A policy that by default warns of phishing at any confidence. */
export function policy(policyId: string, parts: Partial<Policy> = {}): Policy {
  return {
    policy_id: policyId,
    tenant_id: 'tnt_1',
    name: `Policy ${policyId}`,
    threat_categories: ['phishing'],
    action: 'warn',
    confidence_threshold: 0,
    enabled: true,
    version: 3,
    created_at: '2026-03-02T09:15:03.000Z',
    updated_at: '2026-03-02T09:15:03.000Z',
    archived_at: null,
    ...parts,
  };
}
