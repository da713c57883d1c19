import { isHarmful, type Observation, toObservations } from '../case/case-event.ts';
import { isAgentDefault, type PolicyEvidence } from '../case/evidence.ts';
import type { NextAction, RecommendationBasis } from '../triage-results.ts';

type Step = Omit<NextAction, 'order'>;

/** Advises on policies that warned about a threat that they, or other policies, should have blocked. */
export function policySteps({ file, evidence }: RecommendationBasis): Step[] {
  const harmful = toObservations(file.events).filter(isHarmful);
  const warned = harmful.filter(({ current }) => current.action === 'warn');
  const blocked = harmful.filter(({ current }) => current.action === 'block');
  return evidence.policies.flatMap((policy) => {
    const own = warned.filter(({ current }) => current.policyId === policy.policyId);
    const what = own.length === 0 ? undefined : adviceOn(policy, { own, blocked });
    return what === undefined ? [] : [{ who: 'administrator', what }];
  });
}

function adviceOn(
  policy: PolicyEvidence,
  { own, blocked }: { own: readonly Observation[]; blocked: readonly Observation[] },
): string | undefined {
  const { policyId, current } = policy;
  const example = own[0]?.current;
  if (!example) return undefined;
  if (isAgentDefault(policy))
    return `Create a policy for ${example.category}: ${example.deviceId} only warned, by the agent's fallback ${policyId}.`;
  if (current === null)
    return `Find out where ${policyId} comes from: ${example.deviceId} applies it, but the service does not know it.`;
  if (current.action === 'block' && current.isEnabled)
    return `${policyId} is set to block, yet ${example.eventId} only warned: make sure that ${example.deviceId} uses version ${current.version} of it.`;
  const keys = new Set(own.flatMap((observation) => observation.current.keys));
  const stricter = blocked.find(
    (other) => other.current.policyId !== policyId && other.current.keys.some((key) => keys.has(key)),
  );
  return stricter === undefined
    ? undefined
    : `${policyId} only warns about what ${stricter.current.policyId} blocks: change it to block as well, or document why it should not.`;
}
