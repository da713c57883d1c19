import { isAtLeast } from '../../feed/index.ts';
import { isWithdrawn, type Observation } from '../case/case-event.ts';
import type { CaseIncident } from '../case/case-file.ts';
import type { IncidentObservations } from '../case/incident-events.ts';
import type { Proposal, Reason, RecommendationBasis } from '../triage-results.ts';
import { count, isThreatCategory } from '../wording.ts';
import { PLAYBOOKS } from './playbooks.ts';

type ProposedChange = Pick<Proposal, 'change' | 'why'>;

/** This many blocks over more than an hour mean that their cause is still on the device. */
const PERSISTENT_BLOCKS = 3;
const HOUR_MS = 60 * 60_000;
/** A low score means a false alarm only if there is evidence against the threat, not if evidence is missing. */
const MAX_POINTS_OF_HARMLESS = -10;

const IN_PROGRESS = { status: 'in_progress' } as const;
const FALSE_ALARM = { status: 'resolved', resolution: 'false_positive' } as const;
const GENUINE = { status: 'resolved', resolution: 'true_positive' } as const;

/** Proposes a change to an incident of the case, with the reason in a sentence or two. */
export function decideIncident(
  incident: CaseIncident,
  basis: RecommendationBasis,
  observationsOf: (incident: CaseIncident) => IncidentObservations,
): ProposedChange {
  const { status, resolution } = incident;
  if (status === 'resolved' || status === 'closed')
    return {
      change: null,
      why: `It is already ${status}${resolution === null ? '' : ` as ${resolution}`}.`,
    };
  if (incident.category === 'monitoring' || incident.category === 'device_integrity')
    return {
      change: IN_PROGRESS,
      why: 'The cause is technical. Follow the next steps, then resolve the incident.',
    };
  const held = basis.guardrails.checks.filter(({ holds }) => holds);
  if (held.length > 0)
    return {
      change: IN_PROGRESS,
      why: `A guardrail prevents a resolution (${held.map(({ code }) => code).join(', ')}): a person must review the case first.`,
    };
  return decideByVerdict(incident, basis, observationsOf(incident));
}

function decideByVerdict(
  incident: CaseIncident,
  { triageScore }: RecommendationBasis,
  own: IncidentObservations,
): ProposedChange {
  switch (triageScore.verdict) {
    case 'likely_genuine':
      return decideGenuine(incident, own);
    case 'likely_false':
      return decideFalse(triageScore.reasons, own);
    default:
      return {
        change: IN_PROGRESS,
        why: 'The evidence is inconclusive: answer the open questions, then resolve the incident.',
      };
  }
}

/** A false alarm requires evidence against the threat in this case, and no remaining block or high-severity warning. */
function decideFalse(reasons: readonly Reason[], { observations }: IncidentObservations): ProposedChange {
  if (observations.length > 0 && observations.every(isWithdrawn))
    return {
      change: FALSE_ALARM,
      why:
        observations.length === 1
          ? 'The decision that raised it was corrected to allow.'
          : `All ${observations.length} decisions that raised it were corrected to allow.`,
    };
  const serious = observations.filter(
    (observation) => !isWithdrawn(observation) && isSerious(observation),
  ).length;
  if (serious > 0)
    return {
      change: IN_PROGRESS,
      why: `The evidence is weak, but ${serious} ${serious === 1 ? 'block or high-severity warning remains' : 'blocks or high-severity warnings remain'}: answer the open questions, then resolve the incident.`,
    };
  const against = reasons
    .filter(({ points, code }) => points < 0 && code.startsWith('scan_'))
    .reduce((sum, { points }) => sum + points, 0);
  if (against <= MAX_POINTS_OF_HARMLESS)
    return {
      change: FALSE_ALARM,
      why: 'The evidence is weak, and a scan of the content returned allow.',
    };
  return {
    change: IN_PROGRESS,
    why: 'The evidence is weak, but nothing shows a false alarm: answer the open questions, then resolve the incident.',
  };
}

/** Includes the original decision, because a correction that only weakens it does not withdraw it. */
function isSerious({ root, current }: Observation): boolean {
  return [root, current].some(
    ({ action, severity }) => action === 'block' || (action === 'warn' && isAtLeast(severity, 'high')),
  );
}

function decideGenuine(
  incident: CaseIncident,
  { harmful, onlyWarned }: IncidentObservations,
): ProposedChange {
  if (incident.category === 'campaign')
    return {
      change: IN_PROGRESS,
      why: 'Likely genuine and on several devices: stop it at its source, then resolve the incident as true_positive.',
    };
  if (onlyWarned.length > 0)
    return {
      change: IN_PROGRESS,
      why: `Likely genuine, but ${onlyWarned.length} of ${count(harmful.length, 'event')} only warned: contain the threat first. If no harm was done, resolve the incident as true_positive.`,
    };
  const times = harmful.map(({ root }) => root.atMs);
  const isPersistent =
    harmful.length >= PERSISTENT_BLOCKS && Math.max(...times) - Math.min(...times) > HOUR_MS;
  const { category } = incident;
  if (isThreatCategory(category) && PLAYBOOKS[category].cause !== null && isPersistent)
    return {
      change: IN_PROGRESS,
      why: `Likely genuine and blocked ${count(harmful.length, 'time')}, but it keeps occurring: the cause is still on the device. Remove the cause, then resolve the incident as true_positive.`,
    };
  return {
    change: GENUINE,
    why: `Likely genuine, and blocked each time (${harmful.length} of ${harmful.length}): the protection worked.`,
  };
}
