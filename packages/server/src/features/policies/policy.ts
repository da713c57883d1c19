import type { Action, NewPolicy, Policy, PolicyChange, ThreatCategory } from '@tps/contract';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';

export interface PolicyRecord {
  readonly policyId: string;
  readonly name: string;
  readonly categories: readonly ThreatCategory[];
  readonly action: Action;
  readonly confidenceThreshold: number | null;
  readonly enabled: boolean;
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly archivedAtMs: number | null;
}

export function newPolicy(wanted: NewPolicy & { policy_id: string }, nowMs: number): PolicyRecord {
  return {
    policyId: wanted.policy_id,
    name: wanted.name,
    categories: wanted.threat_categories,
    action: wanted.action,
    confidenceThreshold: wanted.confidence_threshold ?? null,
    enabled: wanted.enabled ?? true,
    version: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    archivedAtMs: null,
  };
}

/** Applies a change. Each change is one version, regardless of its size. */
export function changePolicy(policy: PolicyRecord, change: PolicyChange, nowMs: number): PolicyRecord {
  const { confidence_threshold: threshold } = change;
  return {
    ...policy,
    name: change.name ?? policy.name,
    categories: change.threat_categories ?? policy.categories,
    action: change.action ?? policy.action,
    confidenceThreshold: threshold === undefined ? policy.confidenceThreshold : threshold,
    enabled: change.enabled ?? policy.enabled,
    version: policy.version + 1,
    updatedAtMs: nowMs,
  };
}

export function archivePolicy(policy: PolicyRecord, nowMs: number): PolicyRecord {
  return { ...policy, enabled: false, version: policy.version + 1, updatedAtMs: nowMs, archivedAtMs: nowMs };
}

export function toPolicy(policy: PolicyRecord, tenantId: string): Policy {
  return {
    policy_id: policy.policyId,
    tenant_id: tenantId,
    name: policy.name,
    threat_categories: [...policy.categories],
    action: policy.action,
    ...(policy.confidenceThreshold === null ? {} : { confidence_threshold: policy.confidenceThreshold }),
    enabled: policy.enabled,
    version: policy.version,
    created_at: toTimestamp(policy.createdAtMs),
    updated_at: toTimestamp(policy.updatedAtMs),
    archived_at: toOptionalTimestamp(policy.archivedAtMs),
  };
}
