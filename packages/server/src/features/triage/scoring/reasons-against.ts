import { isHarmful, isWithdrawn, toObservations } from '../case/case-event.ts';
import { isAgentDefault, type PolicyEvidence } from '../case/evidence.ts';
import type { ClassificationBasis, Reason } from '../triage-results.ts';
import { count, percent } from '../wording.ts';
import { refsOf } from './reasons-for.ts';
import { WEIGHTS } from './score-weights.ts';
import { hasEvidenceElsewhere } from './withdrawn-elsewhere.ts';

const MAX_REFS = 10;
/** With fewer resolved incidents, the share of false alarms is not scored: a single one could make it 100 %. */
const MIN_RESOLVED = 3;

/** Returns the reasons to assume a false alarm or to trust the reports less. */
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

/** Corrections do not lower the score of the remaining decisions; otherwise a few corrections could outweigh a block. */
function withdrawn(basis: ClassificationBasis): Reason[] {
  const observations = toObservations(basis.file.events);
  const taken = observations.filter(isWithdrawn);
  const remaining = observations.filter(isHarmful).length;
  if (taken.length === 0) return [];
  const isClear = remaining === 0 && !hasEvidenceElsewhere(basis);
  const was = `${taken.length} of ${count(taken.length + remaining, 'decision')} ${taken.length === 1 ? 'was' : 'were'} corrected to allow`;
  return [
    {
      code: 'withdrawn',
      points: isClear ? WEIGHTS.withdrawn : 0,
      sentence: isClear
        ? `${was}.`
        : remaining > 0
          ? `${was}; only the remaining decisions are scored.`
          : `${was}, but other evidence still stands, so the corrections do not lower the score.`,
      refs: refsOf(taken),
    },
  ];
}

function policyFalse({ evidence }: ClassificationBasis): Reason[] {
  const [worst] = evidence.policies
    .filter((policy) => !isAgentDefault(policy))
    .filter(
      ({ falseIncidents, trueIncidents }) => falseIncidents.length + trueIncidents.length >= MIN_RESOLVED,
    )
    .map((policy) => {
      const alarms = policy.falseIncidents.length;
      return { ...policy, alarms, rate: alarms / (alarms + policy.trueIncidents.length) };
    })
    .sort((a, b) => b.rate - a.rate || b.alarms - a.alarms || (a.policyId < b.policyId ? -1 : 1));
  const points = Math.round(WEIGHTS.policyFalse * (worst?.rate ?? 0));
  if (!worst || points === 0) return [];
  const resolved = worst.alarms + worst.trueIncidents.length;
  return [
    {
      code: 'policy_false',
      points,
      sentence: `People have resolved ${count(resolved, 'earlier incident')} of the policy ${worst.policyId}, ${worst.alarms} of them as ${worst.alarms === 1 ? 'a false alarm' : 'false alarms'}.`,
      refs: [worst.policyId, ...worst.falseIncidents].slice(0, MAX_REFS),
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
      sentence: `The same indicator was seen on several devices in ${incidents} that people resolved as ${incidentIds.length === 1 ? 'a false alarm' : 'false alarms'}.`,
      refs: incidentIds.slice(0, MAX_REFS),
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
      sentence: `These devices also allowed the same indicator, ${count(evidence.contradictions.length, 'time')}.`,
      refs: [first.harmfulId, ...evidence.contradictions.map(({ allowId }) => allowId)].slice(0, MAX_REFS),
    },
  ];
}

/** Only the worst state of any policy counts, and only once. */
function policyStates({ evidence, file }: ClassificationBasis): Reason[] {
  const harmful = toObservations(file.events).filter(isHarmful);
  if (harmful.length === 0) return [];
  const highest = (policyId: string) =>
    Math.max(...harmful.map(({ current }) => (current.policyId === policyId ? current.confidence : 0)));
  const isChanged = ({ policyId, current }: PolicyEvidence) =>
    current !== null &&
    harmful.every(({ current: event }) => event.policyId !== policyId || event.atMs < current.updatedAtMs);
  // If an unchanged policy acted below its threshold, the device is at fault; that is not a reason against the detection.
  const isBelow = (policy: PolicyEvidence) =>
    typeof policy.current?.threshold === 'number' &&
    highest(policy.policyId) < policy.current.threshold &&
    isChanged(policy);
  const used = evidence.policies.filter(({ policyId }) => highest(policyId) > 0);
  const states = [
    ...used.filter(isBelow).map((policy) => ({
      policy,
      points: WEIGHTS.policyState.belowThreshold,
      sentence: `The policy ${policy.policyId} has changed since, and its threshold is now ${percent(policy.current?.threshold ?? 0)}: the current version would not act on these events.`,
    })),
    ...used
      .filter(({ current }) => current?.isArchived || current?.isEnabled === false)
      .map((policy) => ({
        policy,
        points: WEIGHTS.policyState.off,
        sentence: `The policy ${policy.policyId} ${isChanged(policy) ? 'has since been' : 'was already'} ${policy.current?.isArchived ? 'archived' : 'disabled'}.`,
      })),
    ...used
      .filter((policy) => policy.current === null && !isAgentDefault(policy))
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
      ? 'The event chain of a device has a fork: two events claim the same position, so someone else may hold its key.'
      : 'The event chain of a device has a gap: events that the device numbered are missing.';
  return [
    { code: 'integrity', points: WEIGHTS.integrity[worst], sentence, refs: [...refs].slice(0, MAX_REFS) },
  ];
}
