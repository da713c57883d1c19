import { isAtLeast } from '../../feed/index.ts';
import { isWithdrawn, type Observation } from '../case/case-event.ts';
import type { CaseIncident } from '../case/case-file.ts';
import { type IncidentObservations, observationsOfIncident } from '../case/incident-events.ts';
import type { Proposal, Reason, RecommendationBasis } from '../triage-results.ts';
import { count, isThreatCategory } from '../wording.ts';
import { PLAYBOOKS } from './playbooks.ts';

type Decision = Pick<Proposal, 'change' | 'why'>;

/** So many blocks over more than an hour mean that what causes them is still there. */
const PERSISTENT_BLOCKS = 3;
const HOUR_MS = 60 * 60_000;
/** A low score is a false alarm only when something speaks against it, not when little is known. */
const CLEARLY_AGAINST = -10;

const IN_PROGRESS = { status: 'in_progress' } as const;
const FALSE_ALARM = { status: 'resolved', resolution: 'false_positive' } as const;
const GENUINE = { status: 'resolved', resolution: 'true_positive' } as const;

/** Proposes what to do with an incident of the case, and says why in a sentence or two. */
export function decideIncident(incident: CaseIncident, basis: RecommendationBasis): Decision {
  const { status, resolution } = incident;
  if (status === 'resolved' || status === 'closed')
    return {
      change: null,
      why: `It is ${status}${resolution === null ? '' : ` as ${resolution}`} already and stays so.`,
    };
  if (incident.category === 'monitoring' || incident.category === 'device_integrity')
    return {
      change: IN_PROGRESS,
      why: 'The cause is technical: it is over when the steps below are done, not by a judgement of events.',
    };
  const held = basis.guardrails.checks.filter(({ holds }) => holds);
  if (held.length > 0)
    return {
      change: IN_PROGRESS,
      why: `A guardrail holds back any resolution (${held.map(({ code }) => code).join(', ')}): a person must look first.`,
    };
  return decideByVerdict(incident, basis, observationsOfIncident(basis.file, incident));
}

function decideByVerdict(
  incident: CaseIncident,
  { triageScore }: RecommendationBasis,
  own: IncidentObservations,
): Decision {
  switch (triageScore.verdict) {
    case 'likely_genuine':
      return decideGenuine(incident, own);
    case 'likely_false':
      return decideFalse(triageScore.reasons, own);
    default:
      return {
        change: IN_PROGRESS,
        why: 'The evidence does not decide it: answer the open questions, then resolve.',
      };
  }
}

/** A false alarm needs something in this very case that speaks against it, and nothing grave that stands. */
function decideFalse(reasons: readonly Reason[], { observations }: IncidentObservations): Decision {
  if (observations.length > 0 && observations.every(isWithdrawn))
    return {
      change: FALSE_ALARM,
      why: `All ${count(observations.length, 'decision')} that raised it ${observations.length === 1 ? 'was' : 'were'} corrected to allow.`,
    };
  const severe = observations.filter(
    (observation) => !isWithdrawn(observation) && isGrave(observation),
  ).length;
  if (severe > 0)
    return {
      change: IN_PROGRESS,
      why: `The evidence is weak, but nobody has taken back ${count(severe, 'block')} or grave ${severe === 1 ? 'warning' : 'warnings'}: answer the open questions, then resolve.`,
    };
  const against = reasons
    .filter(({ points, code }) => points < 0 && code.startsWith('scan_'))
    .reduce((sum, { points }) => sum + points, 0);
  if (against <= CLEARLY_AGAINST)
    return {
      change: FALSE_ALARM,
      why: 'The evidence is weak, and a scan of the content says that it is harmless.',
    };
  return {
    change: IN_PROGRESS,
    why: 'The evidence is weak, but nothing shows that it is false: answer the open questions, then resolve.',
  };
}

/** A correction that only makes it weaker takes nothing back: what the device first said counts too. */
function isGrave({ root, current }: Observation): boolean {
  return [root, current].some(
    ({ action, severity }) => action === 'block' || (action === 'warn' && isAtLeast(severity, 'high')),
  );
}

function decideGenuine(incident: CaseIncident, { harmful, onlyWarned }: IncidentObservations): Decision {
  if (incident.category === 'campaign')
    return {
      change: IN_PROGRESS,
      why: 'Likely genuine and on several devices: stop it at its source, then resolve it as true_positive.',
    };
  if (onlyWarned.length > 0)
    return {
      change: IN_PROGRESS,
      why: `Likely genuine, and ${onlyWarned.length} of ${count(harmful.length, 'event')} only warned: contain first. If nothing was lost, resolve it as true_positive afterwards.`,
    };
  const times = harmful.map(({ root }) => root.atMs);
  const isPersistent =
    harmful.length >= PERSISTENT_BLOCKS && Math.max(...times) - Math.min(...times) > HOUR_MS;
  const { category } = incident;
  if (isThreatCategory(category) && PLAYBOOKS[category].cause !== null && isPersistent)
    return {
      change: IN_PROGRESS,
      why: `Likely genuine and blocked ${count(harmful.length, 'time')}, but it keeps coming: its cause is still on the device. Remove that, then resolve it as true_positive.`,
    };
  return {
    change: GENUINE,
    why: `Likely genuine, and blocked each time (${harmful.length} of ${harmful.length}): the protection held.`,
  };
}
