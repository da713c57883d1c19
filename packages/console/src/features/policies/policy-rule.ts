import type { NewPolicy, Policy, PolicyChange, ThreatCategory } from '@tps/client';

/** A policy as a form holds it: unchecked text where the reader types numbers. */
export interface PolicyRule {
  readonly name: string;
  readonly categories: readonly ThreatCategory[];
  readonly action: Policy['action'];
  /** From 0 to 1; empty for any confidence. */
  readonly threshold: string;
  readonly enabled: boolean;
}

export const NEW_RULE: PolicyRule = {
  name: '',
  categories: [],
  action: 'block',
  threshold: '0.8',
  enabled: true,
};

export function toRule(policy: Policy): PolicyRule {
  return {
    name: policy.name,
    categories: policy.threat_categories,
    action: policy.action,
    threshold: policy.confidence_threshold === undefined ? '' : String(policy.confidence_threshold),
    enabled: policy.enabled,
  };
}

/** Whether a rule decides something: what a simulation needs. */
export function isDeciding({ categories, threshold }: PolicyRule): boolean {
  const confidence = Number(threshold);
  return categories.length > 0 && confidence >= 0 && confidence <= 1;
}

export function isComplete(rule: PolicyRule): boolean {
  return rule.name.trim() !== '' && isDeciding(rule);
}

export function toNewPolicy({ name, categories, action, threshold, enabled }: PolicyRule): NewPolicy {
  return {
    name: name.trim() || 'Simulated',
    threat_categories: [...categories],
    action,
    enabled,
    ...(threshold.trim() === '' ? {} : { confidence_threshold: Number(threshold) }),
  };
}

/** Returns what a form changes in a policy; undefined if that is nothing. */
export function toPolicyChange(policy: Policy, rule: PolicyRule): PolicyChange | undefined {
  const threshold = rule.threshold.trim() === '' ? null : Number(rule.threshold);
  const change: PolicyChange = {
    ...(rule.name.trim() === policy.name ? {} : { name: rule.name.trim() }),
    ...(isSameSet(rule.categories, policy.threat_categories)
      ? {}
      : { threat_categories: [...rule.categories] }),
    ...(rule.action === policy.action ? {} : { action: rule.action }),
    ...(threshold === (policy.confidence_threshold ?? null) ? {} : { confidence_threshold: threshold }),
    ...(rule.enabled === policy.enabled ? {} : { enabled: rule.enabled }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value));
}
