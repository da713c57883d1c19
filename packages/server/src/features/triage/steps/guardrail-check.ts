import type { GuardrailResult } from '@tps/contract';
import { redactText } from '@tps/detection';
import type { Steps } from '../../../platform/concurrency/fair-turns.ts';
import { type StepResult, workflowStep } from '../../jobs/index.ts';
import { isBroken, isHarmful, isWithdrawn, toObservations } from '../case/case-event.ts';
import { observationsByIncident } from '../case/incident-events.ts';
import { isTechnical, mattersOf } from '../case/matters.ts';
import { outputOf } from '../outputs.ts';
import { findEvidenceElsewhere } from '../scoring/withdrawn-elsewhere.ts';
import type { ClassificationBasis, GuardrailCheck, Guardrails } from '../triage-results.ts';
import { count } from '../wording.ts';

type CheckResult = Pick<GuardrailCheck, 'result' | 'sentence'> &
  Partial<Pick<GuardrailCheck, 'refs' | 'holds'>>;

const MAX_REFS = 20;

/** Checks the case for conditions that make a recommendation unsafe, before one is drafted. */
export const guardrailCheck = workflowStep<null>({
  type: 'guardrail_check',
  gather: async () => null,
  *run(_, context): Steps<StepResult> {
    const output = yield* toGuardrails({
      file: outputOf(context, 'load_inputs'),
      evidence: outputOf(context, 'collect_evidence'),
      correlation: outputOf(context, 'correlate'),
    });
    return { output, guardrail: output.result };
  },
});

function* toGuardrails(basis: ClassificationBasis): Steps<Guardrails> {
  const checks = [
    toCheck('enough_evidence', enoughEvidence(basis)),
    toCheck('complete', complete(basis)),
    toCheck('no_contradiction', noContradiction(basis)),
    toCheck('corrections_settled', correctionsSettled(basis)),
    toCheck('own_tenant', ownTenant(basis)),
    toCheck('no_personal_data', yield* noPersonalData(basis)),
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
  const observationsOf = observationsByIncident(file);
  const withoutEvents = file.incidents.filter(
    (incident) => !isTechnical(incident) && observationsOf(incident).observations.length === 0,
  );
  if (withoutEvents.length > 0) {
    const sentence = `The events of ${count(withoutEvents.length, 'incident')} are no longer stored, so there is nothing to score.`;
    return { result: 'blocked', sentence, refs: withoutEvents.map(({ incidentId }) => incidentId) };
  }
  const [only, ...more] = toObservations(file.events).filter(isHarmful);
  const isAlone = evidence.histories.every(({ relatedCount }) => relatedCount === 0);
  if (only && more.length === 0 && only.current.keys.length === 0 && isAlone && file.scans.length === 0) {
    const sentence = 'The case rests on a single event with no indicator and no related events.';
    return { result: 'flagged', sentence, refs: [only.current.eventId], holds: true };
  }
  return { result: 'passed', sentence: 'The case has evidence to score.' };
}

function complete({ file, evidence }: ClassificationBasis): CheckResult {
  const cuts = [...file.cuts, ...evidence.cuts];
  const capped = evidence.histories.filter(({ isCut }) => isCut);
  if (cuts.length === 0 && capped.length === 0)
    return { result: 'passed', sentence: 'The whole case was read.' };
  const parts = [
    ...cuts.map(({ what, kept, of }) => `${kept} of at least ${of} ${what}`),
    ...(capped.length > 0
      ? [`only the newest events of ${count(capped.length, 'device')} in the last 7 days`]
      : []),
  ];
  return {
    result: 'flagged',
    sentence: `Only a part was read: ${parts.join('; ')}.`,
    refs: capped.map(({ deviceId }) => deviceId),
    // A missing part of the case could change the verdict; a missing part of the history is only detail.
    holds: file.cuts.some(({ isDetail }) => !isDetail),
  };
}

function noContradiction({ evidence: { contradictions } }: ClassificationBasis): CheckResult {
  if (contradictions.length === 0)
    return { result: 'passed', sentence: 'No event allowed what another event stopped.' };
  return {
    result: 'flagged',
    sentence: `The same indicator was allowed ${count(contradictions.length, 'time')} and stopped in another event: one of the two decisions is wrong.`,
    refs: contradictions.flatMap(({ allowId, harmfulId }) => [harmfulId, allowId]),
    holds: true,
  };
}

/** Anyone who holds a device can correct its events. Corrections must not override evidence that still stands. */
function correctionsSettled(basis: ClassificationBasis): CheckResult {
  const observations = toObservations(basis.file.events);
  const taken = observations.filter(isWithdrawn);
  const standing = observations.filter(isHarmful);
  const elsewhere = findEvidenceElsewhere(basis);
  const words = [
    ...(taken.length > 0 && standing.length > 0
      ? [`${count(standing.length, 'decision')} of this case`]
      : []),
    ...elsewhere.map(({ what }) => what),
  ];
  if (words.length === 0)
    return { result: 'passed', sentence: 'No other evidence contradicts a correction to allow.' };
  return {
    result: 'flagged',
    sentence: `${count(taken.length, 'decision')} ${taken.length === 1 ? 'was' : 'were'} corrected to allow, but other evidence of a threat remains: ${words.join(', ')}.`,
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
    sentence: `${count(new Set(refs).size, 'event')} with another tenant's id: stored data may have been mixed up or tampered with.`,
    refs,
  };
}

function* noPersonalData({ file, evidence }: ClassificationBasis): Steps<CheckResult> {
  const texts = [
    ...file.events.flatMap((event) =>
      [event.description, event.correctionReason, ...event.indicators].map((text) => [event.eventId, text]),
    ),
    ...file.incidents.map((incident) => [incident.incidentId, incident.message]),
    ...file.scans.map((scan) => [scan.scanId, scan.details]),
    ...evidence.policies.map((policy) => [policy.policyId, policy.current?.name ?? null]),
  ] as const;
  const unredacted = new Set<string>();
  for (const text of new Set(texts.flatMap(([, text]) => text ?? []))) {
    if (redactText(text) !== text) unredacted.add(text);
    yield;
  }
  const found = texts.flatMap(([ref, text]) => (ref && text && unredacted.has(text) ? [ref] : []));
  const refs = [...new Set([...file.redactedRefs, ...evidence.redactedRefs, ...found])].sort();
  if (refs.length === 0)
    return { result: 'passed', sentence: 'No text contains personal data that should have been redacted.' };
  return {
    result: 'flagged',
    sentence: `Personal data was found in ${count(refs.length, 'stored text')}. It is redacted in all artifacts of this triage.`,
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
    sentence: `The event chain of a device is broken at ${count(new Set(refs).size, 'event')}: events, including corrections, may be missing or forged.`,
    refs,
    holds: true,
  };
}

function deviceTrusted({ file }: ClassificationBasis): CheckResult {
  const revoked = file.devices.filter(({ status }) => status === 'revoked');
  if (revoked.length === 0) return { result: 'passed', sentence: 'No device of the case is revoked.' };
  return {
    result: 'flagged',
    sentence: `${count(revoked.length, 'device')} of the case ${revoked.length === 1 ? 'is' : 'are'} revoked: find out why before you trust the reported events.`,
    refs: revoked.map(({ deviceId }) => deviceId),
    holds: true,
  };
}

/**
 * One score for two unrelated cases would be wrong for both: incidents must share an indicator, or have the same category
 * on the same device. Phishing on a device is not evidence about an app on it.
 */
function oneMatter({ file }: ClassificationBasis): CheckResult {
  const matters = mattersOf(file);
  if (matters.length < 2)
    return {
      result: 'passed',
      sentence: 'The inputs belong together: one kind of threat on one device, or a shared indicator.',
    };
  return {
    result: 'flagged',
    sentence: `The inputs are ${matters.length} unrelated cases, with neither a shared indicator nor the same kind of threat on one device. Triage each in a separate job.`,
    refs: matters.flatMap((incidentIds) => incidentIds.slice(0, 1)),
    holds: true,
  };
}
