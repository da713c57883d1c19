import type { Policy } from '../policy/schema.ts';
import type { Action, ThreatCategory } from '../schema/values.ts';
import { ACTIONS } from '../schema/vocabulary.ts';
import type { PolicySet } from './decision.ts';
import { LAST_RESORT } from './fallback-policies.ts';

/** The policies that name one category, strictest first. Make it once to decide on many detections of the category. */
export interface RankedPolicies {
  /** The tenant's, including disabled ones. */
  readonly own: readonly Policy[];
  /** Whether an enabled policy of the tenant names the category. If not, the fallback policies decide. */
  readonly hasOwn: boolean;
  /** Those that are considered: the tenant's or, without an enabled one, the fallback policies. */
  readonly candidates: readonly Policy[];
}

/** The policy that decides, and what it decides. */
export interface PolicyChoice {
  readonly decider: Policy;
  readonly action: Action;
  /** False when the confidence reaches no threshold: the detection is allowed. */
  readonly isMet: boolean;
}

/** Orders the policies that name a category: the strictest first, then the highest threshold, then the lowest id. */
export function rankPolicies(category: ThreatCategory, { policies, fallback }: PolicySet): RankedPolicies {
  const names = (policy: Policy) => policy.threat_categories.includes(category);
  const own = policies.filter(names).sort(inOrder);
  const hasOwn = own.some(({ enabled }) => enabled);
  const candidates = hasOwn
    ? own
    : fallback.filter((policy) => policy.enabled && names(policy)).sort(inOrder);
  return { own, hasOwn, candidates };
}

/** Finds the policy that decides at a confidence: the first that applies, otherwise the one with the lowest threshold. */
export function choosePolicy(confidence: number, { candidates }: RankedPolicies): PolicyChoice {
  const winner = candidates.find((policy) => policy.enabled && thresholdOf(policy) <= confidence);
  if (winner) return { decider: winner, action: winner.action, isMet: true };
  const closest = candidates
    .filter(({ enabled }) => enabled)
    .reduce<Policy | undefined>(withLowerThreshold, undefined);
  return { decider: closest ?? LAST_RESORT, action: 'allow', isMet: false };
}

export function thresholdOf(policy: Policy): number {
  return policy.confidence_threshold ?? 0;
}

function inOrder(one: Policy, other: Policy): number {
  return (
    ACTIONS.indexOf(other.action) - ACTIONS.indexOf(one.action) ||
    thresholdOf(other) - thresholdOf(one) ||
    (one.policy_id < other.policy_id ? -1 : 1)
  );
}

/** Returns the policy with the lower threshold, or the first if they are equal. */
function withLowerThreshold(lowest: Policy | undefined, policy: Policy): Policy {
  return lowest !== undefined && thresholdOf(lowest) <= thresholdOf(policy) ? lowest : policy;
}
