import type { Policy } from '@tps/contract';
import { ACTIONS } from '@tps/contract/vocabulary';
import type { Decision, Detection } from './detection.ts';
import { LAST_RESORT } from './fallback-policies.ts';
import { deriveSeverity } from './severity.ts';

/** The policies to decide by. */
export interface PolicySet {
  /** The tenant's, in any order. */
  readonly policies: readonly Policy[];
  /** Used only for categories that no enabled policy of the tenant names. */
  readonly fallback: readonly Policy[];
}

type DecisionInput = Pick<Detection, 'threatCategory' | 'confidence' | 'severity'>;

/**
 * Decides on a detection. A policy applies if it is enabled, names the category, and has a threshold that the confidence
 * reaches. If several apply, the strictest action wins, then the highest threshold, then the lowest id. An `allow` never
 * overrides a stricter policy: otherwise adding a policy could silently disable another. If none applies, the detection
 * is allowed, and the decision names the policy with the lowest threshold.
 *
 * Pure. The order of the policies does not matter, and more confidence never makes the action milder.
 */
export function decide(detection: DecisionInput, { policies, fallback }: PolicySet): Decision {
  const { threatCategory, confidence } = detection;
  const names = (policy: Policy) => policy.threat_categories.includes(threatCategory);
  const own = policies.filter(names).sort(inOrder);
  const hasOwn = own.some(({ enabled }) => enabled);
  const candidates = hasOwn
    ? own
    : fallback.filter((policy) => policy.enabled && names(policy)).sort(inOrder);
  const usable = candidates.filter(({ enabled }) => enabled);

  const winner = usable.find((policy) => thresholdOf(policy) <= confidence);
  const decider = winner ?? usable.reduce<Policy | undefined>(withLowerThreshold, undefined) ?? LAST_RESORT;
  const { policy_id, name, version } = decider;
  return {
    action: winner?.action ?? 'allow',
    severity: detection.severity ?? deriveSeverity(threatCategory, confidence),
    confidence,
    policy: { policy_id, name, version },
    reasons: [
      ...(hasOwn ? [] : [...own.map(disabledReason), fallbackReason(detection)]),
      ...candidates.map((policy) => reasonFor(policy, { detection, decider, isMet: winner !== undefined })),
      ...(decider === LAST_RESORT
        ? [`${formatName(decider)} decided: no other policy names ${threatCategory}.`]
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

/** Returns the policy with the lower threshold, or the first if they are equal. */
function withLowerThreshold(lowest: Policy | undefined, policy: Policy): Policy {
  return lowest !== undefined && thresholdOf(lowest) <= thresholdOf(policy) ? lowest : policy;
}

function thresholdOf(policy: Policy): number {
  return policy.confidence_threshold ?? 0;
}

interface ReasonContext {
  readonly detection: DecisionInput;
  readonly decider: Policy;
  readonly isMet: boolean;
}

function reasonFor(policy: Policy, { detection, decider, isMet }: ReasonContext): string {
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
