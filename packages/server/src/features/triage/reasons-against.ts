import { findingsOf, isHarmful, isWithdrawn } from './case/case-event.ts';
import type { PolicyEvidence } from './case/evidence.ts';
import { refsOf } from './reasons-for.ts';
import { WEIGHTS } from './score-weights.ts';
import type { ClassificationBasis, Reason } from './triage-results.ts';
import { count, percent } from './wording.ts';

const MOST_REFS = 10;

/** Lists what speaks for a false alarm, or for trusting less what was reported. */
export function reasonsAgainst(basis: ClassificationBasis): Reason[] {
  return [
    ...withdrawn(basis),
    ...policyFalse(basis),
    ...sameIndicatorFalse(basis),
    ...contradictions(basis),
    ...policyStates(basis),
    ...integrity(basis),
  ];
}

function withdrawn({ file }: ClassificationBasis): Reason[] {
  const findings = findingsOf(file.events);
  const taken = findings.filter(isWithdrawn);
  const decided = taken.length + findings.filter(isHarmful).length;
  if (taken.length === 0) return [];
  return [
    {
      code: 'withdrawn',
      points: Math.round((WEIGHTS.withdrawn * taken.length) / decided),
      sentence: `${taken.length} of ${count(decided, 'decision')} ${taken.length === 1 ? 'was' : 'were'} corrected to allow.`,
      refs: refsOf(taken),
    },
  ];
}

function policyFalse({ evidence }: ClassificationBasis): Reason[] {
  const [worst] = [...evidence.policies].sort(
    (a, b) => b.falseIncidents.length - a.falseIncidents.length || (a.policyId < b.policyId ? -1 : 1),
  );
  if (!worst || worst.falseIncidents.length === 0) return [];
  const { each, most } = WEIGHTS.policyFalse;
  const alarms = worst.falseIncidents.length;
  return [
    {
      code: 'policy_false',
      points: Math.max(most, each * alarms),
      sentence: `The policy ${worst.policyId} raised ${count(alarms, 'incident')} before that turned out to be ${alarms === 1 ? 'a false alarm' : 'false alarms'}.`,
      refs: [worst.policyId, ...worst.falseIncidents].slice(0, MOST_REFS),
    },
  ];
}

function sameIndicatorFalse({ evidence }: ClassificationBasis): Reason[] {
  const { sameIndicatorFalse: incidentIds } = evidence;
  if (incidentIds.length === 0) return [];
  const incidents = count(incidentIds.length, 'incident');
  return [
    {
      code: 'same_indicator_false',
      points: WEIGHTS.sameIndicatorFalse,
      sentence: `The same indicator was seen in ${incidents} that turned out to be a false alarm.`,
      refs: incidentIds.slice(0, MOST_REFS),
    },
  ];
}

function contradictions({ evidence }: ClassificationBasis): Reason[] {
  const [first] = evidence.contradictions;
  if (!first) return [];
  return [
    {
      code: 'contradiction',
      points: WEIGHTS.contradiction,
      sentence: `The same indicator was let through ${count(evidence.contradictions.length, 'time')} on these devices.`,
      refs: [first.harmfulId, ...evidence.contradictions.map(({ allowId }) => allowId)].slice(0, MOST_REFS),
    },
  ];
}

/** The worst that holds of any policy counts once: several policies in one state are one circumstance. */
function policyStates({ evidence, file }: ClassificationBasis): Reason[] {
  const harmful = findingsOf(file.events).filter(isHarmful);
  if (harmful.length === 0) return [];
  const highest = (policyId: string) =>
    Math.max(...harmful.map(({ current }) => (current.policyId === policyId ? current.confidence : 0)));
  const isBelow = ({ policyId, current }: PolicyEvidence) =>
    typeof current?.threshold === 'number' && highest(policyId) < current.threshold;
  const used = evidence.policies.filter(({ policyId }) => highest(policyId) > 0);
  const states = [
    ...used.filter(isBelow).map((policy) => ({
      policy,
      points: WEIGHTS.policyState.belowThreshold,
      sentence: `The policy ${policy.policyId} now asks for ${percent(policy.current?.threshold ?? 0)}: its present version would not act on this.`,
    })),
    ...used
      .filter(({ current }) => current?.isArchived || current?.isEnabled === false)
      .map((policy) => ({
        policy,
        points: WEIGHTS.policyState.off,
        sentence: `The policy ${policy.policyId} has been ${policy.current?.isArchived ? 'archived' : 'switched off'} since.`,
      })),
    ...used
      .filter(({ current }) => current === null)
      .map((policy) => ({
        policy,
        points: WEIGHTS.policyState.unknown,
        sentence: `The service does not know the policy ${policy.policyId}, so its rule cannot be checked.`,
      })),
  ];
  return states.slice(0, 1).map(({ policy, points, sentence }) => ({
    code: 'policy_state',
    points,
    sentence,
    refs: [policy.policyId],
  }));
}

function integrity({ evidence, file }: ClassificationBasis): Reason[] {
  const chains = [
    ...file.events.map((event) => event.chain),
    ...evidence.histories.flatMap((history) => Object.keys(history.chain)),
  ];
  const worst = chains.includes('fork') ? 'fork' : chains.includes('gap') ? 'gap' : undefined;
  if (worst === undefined) return [];
  const refs = new Set([
    ...evidence.histories.flatMap((history) => history.broken),
    ...file.events.flatMap((event) => (event.chain === worst ? [event.eventId] : [])),
  ]);
  const sentence =
    worst === 'fork'
      ? 'The chain of a device has a fork: two events claim one place, so somebody else may hold its key.'
      : 'The chain of a device has a gap: events are missing that it says it sent.';
  return [
    { code: 'integrity', points: WEIGHTS.integrity[worst], sentence, refs: [...refs].slice(0, MOST_REFS) },
  ];
}
