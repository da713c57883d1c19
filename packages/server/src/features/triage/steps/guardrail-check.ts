import type { GuardrailResult } from '@tps/contract';
import { redactText } from '@tps/detection';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { isBroken, isHarmful, isWithdrawn, toObservations } from '../case/case-event.ts';
import type { CaseIncident } from '../case/case-file.ts';
import { observationsOfIncident } from '../case/incident-events.ts';
import { outputOf } from '../outputs.ts';
import { findElsewhere } from '../scoring/withdrawn-elsewhere.ts';
import type { ClassificationBasis, GuardrailCheck, Guardrails } from '../triage-results.ts';
import { count } from '../wording.ts';

type CheckResult = Pick<GuardrailCheck, 'result' | 'sentence'> &
  Partial<Pick<GuardrailCheck, 'refs' | 'holds'>>;

const MAX_REFS = 20;

/** Holds the case against what makes a recommendation unsafe, before one is drafted. */
export const guardrailCheck = workflowStep<null>({
  type: 'guardrail_check',
  gather: async () => null,
  run(_, context): StepResult {
    const output = toGuardrails({
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
      correlation: outputOf(context, 'correlate'),
    });
    return { output, guardrail: output.result };
  },
});

export function toGuardrails(basis: ClassificationBasis): Guardrails {
  const checks = [
    toCheck('enough_evidence', enoughEvidence(basis)),
    toCheck('complete', complete(basis)),
    toCheck('no_contradiction', noContradiction(basis)),
    toCheck('corrections_settled', correctionsSettled(basis)),
    toCheck('own_tenant', ownTenant(basis)),
    toCheck('no_personal_data', noPersonalData(basis)),
    toCheck('chain_intact', chainIntact(basis)),
    toCheck('device_trusted', deviceTrusted(basis)),
    toCheck('one_matter', oneMatter(basis)),
  ];
  const has = (result: GuardrailResult) => checks.some((check) => check.result === result);
  return { result: has('blocked') ? 'blocked' : has('flagged') ? 'flagged' : 'passed', checks };
}

function toCheck(code: string, { result, sentence, refs = [], holds = false }: CheckResult): GuardrailCheck {
  return {
    code,
    result,
    sentence,
    refs: [...new Set(refs)].slice(0, MAX_REFS),
    holds: holds || result === 'blocked',
  };
}

function enoughEvidence({ file, evidence }: ClassificationBasis): CheckResult {
  const bare = file.incidents.filter(
    (incident) => !isTechnical(incident) && observationsOfIncident(file, incident).observations.length === 0,
  );
  if (bare.length > 0) {
    const sentence = `Of ${count(bare.length, 'incident')} no event is stored any more: there is nothing to judge by.`;
    return { result: 'blocked', sentence, refs: bare.map(({ incidentId }) => incidentId) };
  }
  const [only, ...more] = toObservations(file.events).filter(isHarmful);
  const isAlone = evidence.histories.every(({ relatedCount }) => relatedCount === 0);
  if (only && more.length === 0 && only.current.keys.length === 0 && isAlone && file.scans.length === 0) {
    const sentence = 'All rests on one event that names no indicator and has no like.';
    return { result: 'flagged', sentence, refs: [only.current.eventId], holds: true };
  }
  return { result: 'passed', sentence: 'There are events to judge by.' };
}

function complete({ file, evidence }: ClassificationBasis): CheckResult {
  const cuts = [...file.cuts, ...evidence.cuts];
  const capped = evidence.histories.filter(({ isCut }) => isCut);
  if (cuts.length === 0 && capped.length === 0)
    return { result: 'passed', sentence: 'All that belongs to the case was looked at.' };
  const parts = [
    ...cuts.map(({ what, kept, of }) => `${kept} of at least ${of} ${what}`),
    ...(capped.length > 0 ? [`the newest events of the last days on ${count(capped.length, 'device')}`] : []),
  ];
  return {
    result: 'flagged',
    sentence: `Only a part was looked at: ${parts.join('; ')}.`,
    refs: capped.map(({ deviceId }) => deviceId),
    // What is missing of the case itself may say the opposite; what is missing of the past adds detail.
    holds: file.cuts.some(({ isDetail }) => !isDetail),
  };
}

function noContradiction({ evidence: { contradictions } }: ClassificationBasis): CheckResult {
  if (contradictions.length === 0)
    return { result: 'passed', sentence: 'No event lets through what another one stops.' };
  return {
    result: 'flagged',
    sentence: `The same indicator was let through ${count(contradictions.length, 'time')} and stopped another time: one of the two is wrong.`,
    refs: contradictions.flatMap(({ allowId, harmfulId }) => [harmfulId, allowId]),
    holds: true,
  };
}

/** Whoever holds a device can correct its events away. That must not decide about what still stands. */
function correctionsSettled(basis: ClassificationBasis): CheckResult {
  const observations = toObservations(basis.file.events);
  const taken = observations.filter(isWithdrawn);
  const standing = observations.filter(isHarmful);
  const elsewhere = findElsewhere(basis);
  const words = [
    ...(taken.length > 0 && standing.length > 0
      ? [`${count(standing.length, 'decision')} of this case`]
      : []),
    ...elsewhere.map(({ what }) => what),
  ];
  if (words.length === 0)
    return { result: 'passed', sentence: 'Nothing stands beside what was corrected to allow.' };
  return {
    result: 'flagged',
    sentence: `${count(taken.length, 'decision')} ${taken.length === 1 ? 'was' : 'were'} corrected to allow, but what speaks for a threat still stands: ${words.join(', ')}.`,
    refs: [
      ...taken.map(({ current }) => current.eventId).slice(0, 5),
      ...elsewhere.flatMap(({ refs }) => refs),
    ],
    holds: true,
  };
}

function ownTenant({ file, evidence }: ClassificationBasis): CheckResult {
  const refs = [...file.foreignRefs, ...evidence.foreignRefs];
  if (refs.length === 0) return { result: 'passed', sentence: 'Every event names this tenant.' };
  return {
    result: 'blocked',
    sentence: `${count(new Set(refs).size, 'event')} named another tenant: stored data may have been mixed up or tampered with.`,
    refs,
  };
}

function noPersonalData({ file, evidence }: ClassificationBasis): CheckResult {
  const texts = [
    ...file.events.flatMap((event) =>
      [event.description, event.correctionReason, ...event.indicators].map((text) => [event.eventId, text]),
    ),
    ...file.incidents.map((incident) => [incident.incidentId, incident.message]),
    ...file.scans.map((scan) => [scan.scanId, scan.details]),
    ...evidence.policies.map((policy) => [policy.policyId, policy.current?.name ?? null]),
  ] as const;
  const distinct = new Set(texts.flatMap(([, text]) => text ?? []));
  const unsettled = new Set([...distinct].filter((text) => redactText(text) !== text));
  const found = texts.flatMap(([ref, text]) => (ref && text && unsettled.has(text) ? [ref] : []));
  const refs = [...new Set([...file.redactedRefs, ...evidence.redactedRefs, ...found])].sort();
  if (refs.length === 0)
    return { result: 'passed', sentence: 'No text holds personal data that should have been redacted.' };
  return {
    result: 'flagged',
    sentence: `Personal data stood in ${count(refs.length, 'stored text')}; it is redacted in all that follows here.`,
    refs,
  };
}

function chainIntact({ file, evidence }: ClassificationBasis): CheckResult {
  const refs = [
    ...file.events.flatMap((event) => (isBroken(event) ? [event.eventId] : [])),
    ...evidence.histories.flatMap(({ broken }) => broken),
  ];
  if (refs.length === 0)
    return { result: 'passed', sentence: 'No device of the case has a gap or a fork in its event chain.' };
  return {
    result: 'flagged',
    sentence: `The event chain of a device is broken at ${count(new Set(refs).size, 'event')}: events may be missing or forged, corrections too.`,
    refs,
    holds: true,
  };
}

function deviceTrusted({ file }: ClassificationBasis): CheckResult {
  const revoked = file.devices.filter(({ status }) => status === 'revoked');
  if (revoked.length === 0) return { result: 'passed', sentence: 'No device of the case is revoked.' };
  return {
    result: 'flagged',
    sentence: `${count(revoked.length, 'device')} of the case has been revoked: find out why before trusting what it reported.`,
    refs: revoked.map(({ deviceId }) => deviceId),
    holds: true,
  };
}

/**
 * One score for two matters would be wrong for both: incidents must hang together by an indicator, or be of one kind on
 * one device. That a device had phishing says nothing about an app on it.
 */
function oneMatter({ file }: ClassificationBasis): CheckResult {
  const groups: { links: Set<string>; incidentIds: string[] }[] = [];
  for (const incident of file.incidents.filter((each) => !isBeside(each, file.incidents))) {
    const { observations } = observationsOfIncident(file, incident);
    const links = new Set([
      ...incident.deviceIds.map((deviceId) => `${incident.category} ${deviceId}`),
      incident.category === 'campaign' ? incident.correlationKey : `incident ${incident.incidentId}`,
      ...observations.flatMap(({ root, current }) => [...root.keys, ...current.keys]),
    ]);
    const joined = groups.filter((group) => [...group.links].some((link) => links.has(link)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push({
      links: new Set([...links, ...joined.flatMap((group) => [...group.links])]),
      incidentIds: [...joined.flatMap((group) => group.incidentIds), incident.incidentId],
    });
  }
  if (groups.length < 2)
    return {
      result: 'passed',
      sentence: 'The inputs are one matter: of one kind on one device, or with the same indicator.',
    };
  return {
    result: 'flagged',
    sentence: `The inputs are ${groups.length} separate matters: neither an indicator nor one kind of threat on one device connects them. Triage each in a job of its own.`,
    refs: groups.flatMap(({ incidentIds }) => incidentIds.slice(0, 1)),
    holds: true,
  };
}

/** What is technical is decided without the score: beside another incident of its devices it is no second matter. */
function isBeside(incident: CaseIncident, all: readonly CaseIncident[]): boolean {
  if (!isTechnical(incident)) return false;
  return all.some(
    (other) =>
      !isTechnical(other) && other.deviceIds.some((deviceId) => incident.deviceIds.includes(deviceId)),
  );
}

function isTechnical({ category }: CaseIncident): boolean {
  return category === 'device_integrity' || category === 'monitoring';
}
