import { isHarmful, isWithdrawn, toObservations } from '../case/case-event.ts';
import type { PolicyEvidence } from '../case/evidence.ts';
import type { ClassificationBasis, Reason } from '../triage-results.ts';
import { count, percent } from '../wording.ts';
import { refsOf } from './reasons-for.ts';
import { WEIGHTS } from './score-weights.ts';
import { standsElsewhere } from './withdrawn-elsewhere.ts';

const MAX_REFS = 10;
/** Of fewer judged incidents no share is taken: one false alarm would be all of them. */
const MIN_JUDGED = 3;

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

/** What was taken back does not speak against what stands: else a few corrections would outvote a block. */
function withdrawn(basis: ClassificationBasis): Reason[] {
  const observations = toObservations(basis.file.events);
  const taken = observations.filter(isWithdrawn);
  const standing = observations.filter(isHarmful).length;
  if (taken.length === 0) return [];
  const isClear = standing === 0 && !standsElsewhere(basis);
  const was = `${taken.length} of ${count(taken.length + standing, 'decision')} ${taken.length === 1 ? 'was' : 'were'} corrected to allow`;
  return [
    {
      code: 'withdrawn',
      points: isClear ? WEIGHTS.withdrawn : 0,
      sentence: isClear
        ? `${was}.`
        : standing > 0
          ? `${was}; only what stands is scored.`
          : `${was}, but the same stands elsewhere: that counts for nothing.`,
      refs: refsOf(taken),
    },
  ];
}

function policyFalse({ evidence }: ClassificationBasis): Reason[] {
  const [worst] = evidence.policies
    .filter(({ falseIncidents, trueIncidents }) => falseIncidents.length + trueIncidents.length >= MIN_JUDGED)
    .map((policy) => {
      const alarms = policy.falseIncidents.length;
      return { ...policy, alarms, rate: alarms / (alarms + policy.trueIncidents.length) };
    })
    .sort((a, b) => b.rate - a.rate || b.alarms - a.alarms || (a.policyId < b.policyId ? -1 : 1));
  const points = Math.round(WEIGHTS.policyFalse * (worst?.rate ?? 0));
  if (!worst || points === 0) return [];
  const reviewed = worst.alarms + worst.trueIncidents.length;
  return [
    {
      code: 'policy_false',
      points,
      sentence: `Of ${count(reviewed, 'incident')} that the policy ${worst.policyId} raised before and that people judged, ${worst.alarms} turned out to be ${worst.alarms === 1 ? 'a false alarm' : 'false alarms'}.`,
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
      sentence: `The same indicator was seen in ${incidents} of several devices that turned out to be ${incidentIds.length === 1 ? 'a false alarm' : 'false alarms'}.`,
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
      sentence: `The same indicator was let through ${count(evidence.contradictions.length, 'time')} on these devices.`,
      refs: [first.harmfulId, ...evidence.contradictions.map(({ allowId }) => allowId)].slice(0, MAX_REFS),
    },
  ];
}

/** The worst that holds of any policy counts once: several policies in one state are one circumstance. */
function policyStates({ evidence, file }: ClassificationBasis): Reason[] {
  const harmful = toObservations(file.events).filter(isHarmful);
  if (harmful.length === 0) return [];
  const highest = (policyId: string) =>
    Math.max(...harmful.map(({ current }) => (current.policyId === policyId ? current.confidence : 0)));
  const isChanged = ({ policyId, current }: PolicyEvidence) =>
    current !== null &&
    harmful.every(({ current: event }) => event.policyId !== policyId || event.atMs < current.updatedAtMs);
  // A policy that is as it was did act: why is a question for the device, not a reason against the detection.
  const isBelow = (policy: PolicyEvidence) =>
    typeof policy.current?.threshold === 'number' &&
    highest(policy.policyId) < policy.current.threshold &&
    isChanged(policy);
  const used = evidence.policies.filter(({ policyId }) => highest(policyId) > 0);
  const states = [
    ...used.filter(isBelow).map((policy) => ({
      policy,
      points: WEIGHTS.policyState.belowThreshold,
      sentence: `The policy ${policy.policyId} was changed since and now asks for ${percent(policy.current?.threshold ?? 0)}: its present version would not act on this.`,
    })),
    ...used
      .filter(({ current }) => current?.isArchived || current?.isEnabled === false)
      .map((policy) => ({
        policy,
        points: WEIGHTS.policyState.off,
        sentence: `The policy ${policy.policyId} ${isChanged(policy) ? 'has since been' : 'was already'} ${policy.current?.isArchived ? 'archived' : 'switched off'}.`,
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
    { code: 'integrity', points: WEIGHTS.integrity[worst], sentence, refs: [...refs].slice(0, MAX_REFS) },
  ];
}
