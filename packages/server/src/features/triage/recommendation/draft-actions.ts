import type { ThreatCategory } from '@tps/contract';
import { isHarmful, isWithdrawn, toObservations } from '../case/case-event.ts';
import type { PolicyEvidence } from '../case/evidence.ts';
import type { NextAction, Proposal, RecommendationBasis } from '../triage-results.ts';
import { count, isThreatCategory, percent } from '../wording.ts';
import { guidanceIdsFor } from './guidance-ids.ts';
import { PLAYBOOKS } from './playbooks.ts';
import { policySteps } from './policy-steps.ts';

type Step = Omit<NextAction, 'order'>;

const MAX_NAMED = 5;

/** Drafts the next steps in order: contain, investigate, prevent elsewhere, close. */
export function draftActions(basis: RecommendationBasis, proposals: readonly Proposal[]): NextAction[] {
  const isFalseAlarm =
    basis.triageScore.verdict === 'likely_false' &&
    (proposals.length === 0 || proposals.some(({ change }) => change?.resolution === 'false_positive'));
  const steps = [
    ...guardrailSteps(basis),
    ...(isFalseAlarm ? falseAlarmSteps(basis) : [...threatSteps(basis), ...reviewSteps(basis)]),
    ...technicalSteps(basis),
    ...closingSteps(proposals),
  ];
  return steps.map((step, index) => ({ order: index + 1, ...step }));
}

function guardrailSteps({ guardrails }: RecommendationBasis): Step[] {
  const failed = (code: string) =>
    guardrails.checks.find((check) => check.code === code && check.result !== 'passed');
  const foreign = failed('own_tenant');
  const revoked = failed('device_trusted');
  const personal = failed('no_personal_data');
  return [
    ...(foreign
      ? [
          administrator(
            `Find out why ${listIds(foreign.refs)} has another tenant's id before you decide anything else, and run the integrity check of the feed.`,
          ),
        ]
      : []),
    ...(revoked ? [analyst(`Find out why ${listIds(revoked.refs)} was revoked.`)] : []),
    ...(personal
      ? [
          administrator(
            `Unredacted personal data was found in ${listIds(personal.refs)}: handle it as a data protection incident.`,
          ),
        ]
      : []),
  ];
}

function threatSteps(basis: RecommendationBasis): Step[] {
  const { file, evidence, correlation, triageScore } = basis;
  const harmful = toObservations(file.events).filter(isHarmful);
  const categories = [...new Set(harmful.map(({ current }) => current.category))].filter(isThreatCategory);
  const unstopped = evidence.others.filter(({ blocked, warned }) => warned > 0 || blocked === 0);
  const others = unstopped.map(({ deviceId }) => deviceId);
  const unlisted = correlation.otherDevices - evidence.others.length;
  const beyond = unlisted > 0 ? ` and ${unlisted} more devices that are not listed` : '';
  const isGenuine = triageScore.verdict === 'likely_genuine';
  const withdrawn = toObservations(file.events).filter(isWithdrawn);
  return [
    ...categories.flatMap((category) => {
      const own = harmful.filter(({ current }) => current.category === category);
      return categorySteps(category, {
        warned: own.flatMap(({ current }) => (current.action === 'warn' ? [current.deviceId] : [])),
        devices: own.map(({ current }) => current.deviceId),
        isGenuine,
        blocks: own.filter(({ current }) => current.action === 'block').length,
      });
    }),
    ...(others.length > 0
      ? [
          analyst(
            `Check ${listIds(others)}${beyond}: the same indicators were seen there and were not always stopped.`,
          ),
        ]
      : []),
    ...policySteps(basis),
    ...(withdrawn.length > 0
      ? [analyst(`Ask who corrected ${listIds(withdrawn.map(({ root }) => root.eventId))} and why.`)]
      : []),
  ];
}

function categorySteps(
  category: ThreatCategory,
  about: { warned: string[]; devices: string[]; isGenuine: boolean; blocks: number },
): Step[] {
  const { contain, ask, hunt, cause } = PLAYBOOKS[category];
  const { warned, devices, isGenuine, blocks } = about;
  const [, userCard] = guidanceIdsFor(category);
  return [
    ...(warned.length > 0 ? [{ who: 'affected person', what: contain } as const] : []),
    analyst(
      warned.length > 0
        ? `Speak to the user of ${listIds(warned)} today and send them ${userCard}. Ask: ${ask}`
        : `Tell the user of ${listIds(devices)} that it was blocked and send them ${userCard}. Ask: ${ask}`,
    ),
    ...(cause !== null && blocks >= 3 ? [administrator(`On ${listIds(devices)}: ${cause}`)] : []),
    ...(isGenuine ? [administrator(hunt)] : []),
  ];
}

function falseAlarmSteps({ file, evidence }: RecommendationBasis): Step[] {
  const withdrawn = toObservations(file.events).filter(isWithdrawn);
  const confidences = toObservations(file.events).map(({ root }) => root.confidence);
  const highest = confidences.length === 0 ? 0 : Math.max(...confidences);
  return [
    ...(withdrawn.length > 0
      ? [
          analyst(
            `Check that the corrections of ${listIds(withdrawn.map(({ root }) => root.eventId))} came from the user or the agent, not from someone who wanted to hide the alert.`,
          ),
        ]
      : []),
    ...evidence.policies.flatMap((policy) => toPolicyReview(policy, highest)),
    ...(file.incidents.length > 0
      ? [analyst('Tell the user that nothing is wrong, so that they trust the next warning.')]
      : []),
  ];
}

/** A policy with many false alarms should be reviewed even if this case is not a false alarm. */
function reviewSteps({ triageScore, evidence }: RecommendationBasis): Step[] {
  const reason = triageScore.reasons.find(({ code }) => code === 'policy_false');
  return evidence.policies
    .filter(({ policyId }) => reason?.refs.includes(policyId))
    .flatMap((policy) => toPolicyReview(policy));
}

function toPolicyReview({ policyId, falseIncidents, current }: PolicyEvidence, highest?: number): Step[] {
  if (falseIncidents.length === 0 || current === null) return [];
  const alarms = count(falseIncidents.length, 'false alarm');
  const remedy =
    highest === undefined
      ? 'Find out what they have in common before you change its threshold.'
      : `Raise its threshold above ${percent(highest)}, or let it warn instead of block, until the detection has improved.`;
  return [
    administrator(
      `Review ${policyId} (version ${current.version}, threshold ${percent(current.threshold ?? 0)}): ${alarms} before this case. ${remedy}`,
    ),
  ];
}

function technicalSteps({ file, guardrails }: RecommendationBasis): Step[] {
  const chain = guardrails.checks.find(({ code, result }) => code === 'chain_intact' && result !== 'passed');
  const broken = file.incidents.filter(({ category }) => category === 'device_integrity');
  const monitoring = file.incidents.filter(({ category }) => category === 'monitoring');
  const brokenDevices = [
    ...new Set([
      ...broken.flatMap(({ deviceIds }) => deviceIds),
      ...file.events.flatMap(({ deviceId, eventId }) => (chain?.refs.includes(eventId) ? [deviceId] : [])),
    ]),
  ];
  return [
    ...(chain || broken.length > 0
      ? [
          analyst(
            `Compare the events around ${listIds(chain?.refs ?? [])} with the local log of ${listIds(brokenDevices)}. If neither a restored backup nor a cloned device explains the break, assume that someone else holds the key.`,
          ),
          administrator(
            'If the break cannot be explained, rotate the key of the device or revoke the device, and do not trust its reports since then. Otherwise let the agent start a new chain.',
          ),
        ]
      : []),
    ...monitoring.map(({ incidentId }) =>
      administrator(
        `Fix the problem that ${incidentId} reports, check for a day that it does not return, then resolve the incident.`,
      ),
    ),
  ];
}

function closingSteps(proposals: readonly Proposal[]): Step[] {
  const kept = proposals.filter(({ change, now }) => (change?.status ?? now.status) === 'in_progress');
  if (kept.length === 0) return [];
  return [
    analyst(
      `When these steps are done, resolve ${listIds(kept.map((proposal) => proposal.incident_id))}: as true_positive if the threat was real and has been removed, as false_positive if it was not real, as benign_expected if the activity was intended.`,
    ),
  ];
}

function analyst(what: string): Step {
  return { who: 'analyst', what };
}

function administrator(what: string): Step {
  return { who: 'administrator', what };
}

function listIds(ids: readonly string[]): string {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return 'the device';
  const more = unique.length - MAX_NAMED;
  return `${unique.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
