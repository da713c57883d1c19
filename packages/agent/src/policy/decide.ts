import type { Policy } from '@tps/contract';
import { ACTIONS } from '@tps/contract/vocabulary';
import type { Decision, Detection } from './detection.ts';
import { LAST_RESORT } from './fallback-policies.ts';
import { severityOf } from './severity.ts';

/** What there is to decide by. */
export interface PolicySet {
  /** The tenant's, in any order. */
  readonly policies: readonly Policy[];
  /** Asked only for categories that no enabled policy of the tenant names. */
  readonly fallback: readonly Policy[];
}

type Judged = Pick<Detection, 'threatCategory' | 'confidence' | 'severity'>;

/**
 * Decides. Of the enabled policies that name the category, those count whose threshold the confidence reaches; of
 * these the strictest action wins, then the highest threshold, then the lowest id. An `allow` never outdoes a stricter
 * policy: otherwise a policy that is added could silently disarm another. If none counts, the detection is
 * allowed in the name of the policy that came closest.
 *
 * Pure. The order of the policies does not matter, and more confidence never makes the action milder.
 */
export function decide(detection: Judged, { policies, fallback }: PolicySet): Decision {
  const { threatCategory, confidence } = detection;
  const names = (policy: Policy) => policy.threat_categories.includes(threatCategory);
  const own = policies.filter(names).sort(inOrder);
  const isOwn = own.some(({ enabled }) => enabled);
  const asked = isOwn ? own : fallback.filter((policy) => policy.enabled && names(policy)).sort(inOrder);
  const usable = asked.filter(({ enabled }) => enabled);

  const winner = usable.find((policy) => thresholdOf(policy) <= confidence);
  const decider = winner ?? usable.reduce<Policy | undefined>(closer, undefined) ?? LAST_RESORT;
  const { policy_id, name, version } = decider;
  return {
    action: winner?.action ?? 'allow',
    severity: detection.severity ?? severityOf(threatCategory, confidence),
    confidence,
    policy: { policy_id, name, version },
    reasons: [
      ...(isOwn ? [] : [...own.map(disabledReason), fallbackReason(detection)]),
      ...asked.map((policy) => reasonOf(policy, { detection, decider, isMet: winner !== undefined })),
      ...(decider === LAST_RESORT
        ? [`${nameOf(decider)} decided: nothing else names ${threatCategory}.`]
        : []),
    ],
  };
}

/** Strictest first, then the highest threshold, then the lowest id. */
function inOrder(one: Policy, other: Policy): number {
  return (
    ACTIONS.indexOf(other.action) - ACTIONS.indexOf(one.action) ||
    thresholdOf(other) - thresholdOf(one) ||
    (one.policy_id < other.policy_id ? -1 : 1)
  );
}

/** Of the policies that were not reached, the one with the lowest threshold came closest; the first of equals stays. */
function closer(closest: Policy | undefined, policy: Policy): Policy {
  return closest !== undefined && thresholdOf(closest) <= thresholdOf(policy) ? closest : policy;
}

function thresholdOf(policy: Policy): number {
  return policy.confidence_threshold ?? 0;
}

interface Look {
  readonly detection: Judged;
  readonly decider: Policy;
  readonly isMet: boolean;
}

function reasonOf(policy: Policy, { detection, decider, isMet }: Look): string {
  const { threatCategory, confidence } = detection;
  const threshold = thresholdOf(policy);
  if (!policy.enabled) return disabledReason(policy);
  if (policy === decider && isMet) {
    return `${nameOf(policy)} decided: ${policy.action} for ${threatCategory} from ${threshold}, and the confidence is ${confidence}.`;
  }
  if (policy === decider) {
    return `${nameOf(policy)} decided: it came closest, and the confidence of ${confidence} is below its threshold of ${threshold}, so the detection is allowed.`;
  }
  if (threshold > confidence) {
    return `${nameOf(policy)} did not apply: the confidence of ${confidence} is below its threshold of ${threshold}.`;
  }
  const rank = policy.action === decider.action ? 'goes before it' : `is stricter than ${policy.action}`;
  return `${nameOf(policy)} applied too, but ${decider.policy_id} ${rank}.`;
}

function disabledReason(policy: Policy): string {
  return `${nameOf(policy)} did not apply: it is disabled.`;
}

function fallbackReason({ threatCategory }: Judged): string {
  return `No enabled policy of the tenant names ${threatCategory}, so the agent's fallback policies were asked.`;
}

function nameOf({ policy_id, name, version }: Policy): string {
  return `${policy_id} “${name}” (version ${version})`;
}
