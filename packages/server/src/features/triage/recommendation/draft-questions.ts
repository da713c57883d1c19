import { isHarmful, toObservations } from '../case/case-event.ts';
import type { RecommendationBasis } from '../triage-results.ts';
import { count, isThreatCategory } from '../wording.ts';
import { PLAYBOOKS } from './playbooks.ts';

const MAX_QUESTIONS = 8;

/** Drafts the questions whose answers would decide the case. */
export function draftQuestions(basis: RecommendationBasis): string[] {
  const { file, evidence, correlation, triageScore } = basis;
  if (file.incidents.length > 0 && file.incidents.every(({ status }) => hasEnded(status))) return [];
  const harmful = toObservations(file.events).filter(isHarmful);
  const warned = harmful.some(({ current }) => current.action === 'warn');
  const isDecided = triageScore.verdict === 'likely_genuine' || triageScore.verdict === 'likely_false';
  const categories = [...new Set(harmful.map(({ current }) => current.category))];
  const allowIds = evidence.contradictions.map(({ allowId }) => allowId);
  const [worst] = evidence.policies.filter(({ falseIncidents }) => falseIncidents.length > 0);
  return [
    ...(warned || !isDecided
      ? categories.filter(isThreatCategory).map((category) => PLAYBOOKS[category].ask)
      : []),
    ...(harmful.length > 0 && harmful.every(({ current }) => current.keys.length === 0)
      ? ['Which message, call, app or page was it? The events name no indicator, so ask the user.']
      : []),
    ...(allowIds.length > 0
      ? [
          `Which decision is right: the one that allowed it (${allowIds[0]}), or the one that stopped it (${evidence.contradictions[0]?.harmfulId})?`,
        ]
      : []),
    ...(worst && !isDecided
      ? [
          `What did the ${count(worst.falseIncidents.length, 'false alarm')} of ${worst.policyId} have in common, and does this case share it?`,
        ]
      : []),
    ...(correlation.otherDevices > 0 && !isDecided
      ? [`What happened on the ${count(correlation.otherDevices, 'other device')} with the same indicators?`]
      : []),
    ...(basis.guardrails.checks.some(({ code, result }) => code === 'chain_intact' && result !== 'passed')
      ? ['Was the device restored from a backup or cloned, or does someone else hold its key?']
      : []),
  ].slice(0, MAX_QUESTIONS);
}

function hasEnded(status: string): boolean {
  return status === 'resolved' || status === 'closed';
}
