import type { Policy } from '../policy/schema.ts';
import type { Decision, DecisionInput, PolicySet } from './decision.ts';
import { deriveSeverity } from './derive-severity.ts';
import { LAST_RESORT } from './fallback-policies.ts';
import { choosePolicy, type PolicyChoice, rankPolicies, thresholdOf } from './rank-policies.ts';

/**
 * Decides on a detection. A policy applies if it is enabled, names the category, and has a threshold that the confidence
 * reaches. If several apply, the strictest action wins, then the highest threshold, then the lowest id. An `allow` never
 * overrides a stricter policy: otherwise adding a policy could silently disable another. If none applies, the detection
 * is allowed, and the decision names the policy with the lowest threshold.
 *
 * Pure. The order of the policies does not matter, and more confidence never makes the action milder.
 */
export function decide(detection: DecisionInput, policySet: PolicySet): Decision {
  const { threatCategory, confidence } = detection;
  const ranked = rankPolicies(threatCategory, policySet);
  const { own, hasOwn, candidates } = ranked;
  const choice = choosePolicy(confidence, ranked);
  const { decider } = choice;
  const { policy_id, name, version } = decider;
  return {
    action: choice.action,
    severity: detection.severity ?? deriveSeverity(threatCategory, confidence),
    confidence,
    policy: { policy_id, name, version },
    reasons: [
      ...(hasOwn ? [] : [...own.map(disabledReason), fallbackReason(detection)]),
      ...candidates.map((policy) => reasonFor(policy, detection, choice)),
      ...(decider === LAST_RESORT
        ? [`${formatName(decider)} decided: no other policy names ${threatCategory}.`]
        : []),
    ],
  };
}

function reasonFor(policy: Policy, detection: DecisionInput, { decider, isMet }: PolicyChoice): string {
  const { threatCategory, confidence } = detection;
  const threshold = thresholdOf(policy);
  if (!policy.enabled) return disabledReason(policy);
  if (policy === decider && isMet) {
    return `${formatName(policy)} decided: ${policy.action} for ${threatCategory} from ${threshold}, and the confidence is ${confidence}.`;
  }
  if (policy === decider) {
    return `${formatName(policy)} decided: it came closest, and the confidence of ${confidence} is below its threshold of ${threshold}, so the detection is allowed.`;
  }
  if (threshold > confidence) {
    return `${formatName(policy)} did not apply: the confidence of ${confidence} is below its threshold of ${threshold}.`;
  }
  const rank = policy.action === decider.action ? 'takes precedence' : `is stricter than ${policy.action}`;
  return `${formatName(policy)} also applied, but ${decider.policy_id} ${rank}.`;
}

function disabledReason(policy: Policy): string {
  return `${formatName(policy)} did not apply: it is disabled.`;
}

function fallbackReason({ threatCategory }: DecisionInput): string {
  return `No enabled policy of the tenant names ${threatCategory}, so the agent's fallback policies were used.`;
}

function formatName({ policy_id, name, version }: Policy): string {
  return `${policy_id} “${name}” (version ${version})`;
}
