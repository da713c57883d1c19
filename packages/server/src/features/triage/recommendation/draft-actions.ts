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

/** Drafts what to do next, in order: stop the damage, find out, stop it elsewhere, tidy up. */
export function draftActions(basis: RecommendationBasis, proposals: readonly Proposal[]): NextAction[] {
  const isFalseAlarm =
    basis.triageScore.verdict === 'likely_false' &&
    (proposals.length === 0 || proposals.some(({ change }) => change?.resolution === 'false_positive'));
  const steps = [
    ...guardrailSteps(basis),
    ...(isFalseAlarm ? falseAlarmSteps(basis) : [...threatSteps(basis), ...reviewSteps(basis)]),
    ...technicalSteps(basis),
    ...afterwards(proposals),
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
            `Find out how ${named(foreign.refs)} came to name another tenant before anything else is decided; run the integrity check of the feed.`,
          ),
        ]
      : []),
    ...(revoked ? [analyst(`Find out why ${named(revoked.refs)} was revoked.`)] : []),
    ...(personal
      ? [
          administrator(
            `Personal data stood unredacted in ${named(personal.refs)}: treat it as a data protection matter.`,
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
  const beyond = unlisted > 0 ? ` and ${unlisted} more that are not listed` : '';
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
            `Look at ${named(others)}${beyond}: the same indicators were seen there, and it was not stopped each time.`,
          ),
        ]
      : []),
    ...policySteps(basis),
    ...(withdrawn.length > 0
      ? [analyst(`Ask who corrected ${named(withdrawn.map(({ root }) => root.eventId))} and why.`)]
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
        ? `Speak to the person with ${named(warned)} today and send them ${userCard}. Ask: ${ask}`
        : `Tell the person with ${named(devices)} that it was blocked and send them ${userCard}. Make sure of one thing: ${ask}`,
    ),
    ...(cause !== null && blocks >= 3 ? [administrator(`On ${named(devices)}: ${cause}`)] : []),
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
            `Check that the corrections of ${named(withdrawn.map(({ root }) => root.eventId))} came from the person or the agent, not from somebody who wanted the alert gone.`,
          ),
        ]
      : []),
    ...evidence.policies.flatMap((policy) => reviewOf(policy, highest)),
    ...(file.incidents.length > 0
      ? [analyst('Tell the person that nothing is wrong, so that they trust the next warning.')]
      : []),
  ];
}

/** A policy that often misleads is worth a look even where this case is open. */
function reviewSteps({ triageScore, evidence }: RecommendationBasis): Step[] {
  const reason = triageScore.reasons.find(({ code }) => code === 'policy_false');
  return evidence.policies
    .filter(({ policyId }) => reason?.refs.includes(policyId))
    .flatMap((policy) => reviewOf(policy));
}

function reviewOf({ policyId, falseIncidents, current }: PolicyEvidence, highest?: number): Step[] {
  if (falseIncidents.length === 0 || current === null) return [];
  const alarms = count(falseIncidents.length, 'false alarm');
  const remedy =
    highest === undefined
      ? 'See what they have in common before its threshold is touched.'
      : `Raise its threshold above ${percent(highest)}, or have it warn instead of block, until the detector is better.`;
  return [
    administrator(
      `Review ${policyId} (version ${current.version}, acts from ${percent(current.threshold ?? 0)} on): ${alarms} before this one. ${remedy}`,
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
            `Compare the events around ${named(chain?.refs ?? [])} with the local log of ${named(brokenDevices)}: a restored backup or a cloned device explains it, else assume that somebody else holds the key.`,
          ),
          administrator(
            'If nothing explains it, rotate the key of the device or revoke the device, and treat what it reported since as unproven. Otherwise have the agent start a new chain.',
          ),
        ]
      : []),
    ...monitoring.map(({ incidentId }) =>
      administrator(
        `Mend what ${incidentId} reports, watch that it does not come back for a day, then resolve the incident.`,
      ),
    ),
  ];
}

function afterwards(proposals: readonly Proposal[]): Step[] {
  const kept = proposals.filter(({ change, now }) => (change?.status ?? now.status) === 'in_progress');
  if (kept.length === 0) return [];
  return [
    analyst(
      `When this is answered, resolve ${named(kept.map((proposal) => proposal.incident_id))}: as true_positive if it was real and nothing of it is left, as false_positive if it was not, as benign_expected if it was meant to be.`,
    ),
  ];
}

function analyst(what: string): Step {
  return { who: 'analyst', what };
}

function administrator(what: string): Step {
  return { who: 'administrator', what };
}

function named(ids: readonly string[]): string {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return 'the device';
  const more = unique.length - MAX_NAMED;
  return `${unique.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
