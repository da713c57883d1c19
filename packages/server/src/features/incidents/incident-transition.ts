import type { IncidentChange, IncidentStatus, Resolution } from '@tps/contract';
import { ServiceError } from '../../platform/service-error.ts';
import type { IncidentRecord } from './incident.ts';

/** What a move asks for beside the new status. */
type Condition = 'free' | 'resolution' | 'dismissal' | 'comment';

/** Every legal move. What is not here is refused. */
const MOVES: Record<IncidentStatus, Partial<Record<IncidentStatus, Condition>>> = {
  open: { in_progress: 'free', on_hold: 'free', resolved: 'resolution', closed: 'dismissal' },
  in_progress: { open: 'free', on_hold: 'free', resolved: 'resolution' },
  on_hold: { in_progress: 'free', resolved: 'resolution' },
  resolved: { in_progress: 'comment', closed: 'free' },
  closed: {},
};

/** Resolutions by which an incident that nobody has worked on may be closed at once. */
const DISMISSALS: readonly Resolution[] = ['false_positive', 'duplicate', 'test'];

export interface Transition {
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
}

/**
 * Applies the lifecycle to a change. The status that the incident has already is no move and changes nothing.
 * @throws ServiceError `invalid_state_transition`
 */
export function transition(
  incident: Pick<IncidentRecord, 'status' | 'resolution'>,
  change: Pick<IncidentChange, 'status' | 'resolution' | 'comment'>,
): Transition {
  const from = incident.status;
  const to = change.status ?? from;
  if (to === from) {
    if (change.resolution !== undefined && change.resolution !== incident.resolution) {
      throw refusal(`resolution goes with a move to resolved or closed; this incident is ${from}`);
    }
    return { status: from, resolution: incident.resolution };
  }
  const condition = MOVES[from][to];
  if (condition === undefined) throw refusal(`An incident cannot go from ${from} to ${to}`);
  return { status: to, resolution: resolutionAfter(incident, change, condition) };
}

function resolutionAfter(
  incident: Pick<IncidentRecord, 'resolution'>,
  { status, resolution, comment }: Pick<IncidentChange, 'status' | 'resolution' | 'comment'>,
  condition: Condition,
): Resolution | null {
  if (condition === 'resolution' || condition === 'dismissal') {
    if (resolution === undefined) throw refusal(`resolution is missing: it is needed to go to ${status}`);
    if (condition === 'dismissal' && !DISMISSALS.includes(resolution)) {
      throw refusal(`An open incident can be closed only with the resolution ${DISMISSALS.join(', ')}`);
    }
    return resolution;
  }
  if (condition === 'comment') {
    if (comment === undefined)
      throw refusal('comment is missing: it is needed to reopen a resolved incident');
    if (resolution !== undefined) throw refusal('A reopened incident has no resolution');
    return null;
  }
  if (resolution !== undefined && resolution !== incident.resolution) {
    throw refusal(`resolution goes with a move to resolved, or from open to closed`);
  }
  return incident.resolution;
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_state_transition', message);
}

/** What the resolution of an incident says about its threats; null leaves them as they are. */
export function threatStatusAfter(resolution: Resolution | null): 'resolved' | 'dismissed' | null {
  switch (resolution) {
    case 'true_positive':
      return 'resolved';
    case 'false_positive':
    case 'benign_expected':
    case 'test':
      return 'dismissed';
    case 'duplicate':
    case 'inconclusive':
    case null:
      return null;
  }
}
