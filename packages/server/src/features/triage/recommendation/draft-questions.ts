import { isHarmful, toObservations } from '../case/case-event.ts';
import type { RecommendationBasis } from '../triage-results.ts';
import { count, isThreatCategory } from '../wording.ts';
import { PLAYBOOKS } from './playbooks.ts';

const MAX_QUESTIONS = 8;

/** Names what is not known yet and would decide the case. */
export function draftQuestions(basis: RecommendationBasis): string[] {
  const { file, evidence, correlation, triageScore } = basis;
  if (file.incidents.length > 0 && file.incidents.every(({ status }) => isOver(status))) return [];
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
      ? ['Which message, call, app or page was it? The events name no indicator; ask the person for it.']
      : []),
    ...(allowIds.length > 0
      ? [
          `Which decision is right: the one that let it through (${allowIds[0]}), or the one that stopped it (${evidence.contradictions[0]?.harmfulId})?`,
        ]
      : []),
    ...(worst && !isDecided
      ? [
          `What did the ${count(worst.falseIncidents.length, 'false alarm')} of ${worst.policyId} have in common, and does this case share it?`,
        ]
      : []),
    ...(correlation.otherDevices > 0 && !isDecided
      ? [
          `What became of it on the ${count(correlation.otherDevices, 'other device')} with the same indicators?`,
        ]
      : []),
    ...(basis.guardrails.checks.some(({ code, result }) => code === 'chain_intact' && result !== 'passed')
      ? ['Was the device restored from a backup or cloned, or does somebody else hold its key?']
      : []),
  ].slice(0, MAX_QUESTIONS);
}

function isOver(status: string): boolean {
  return status === 'resolved' || status === 'closed';
}
