import type { IncidentChange, IncidentStatus, Resolution } from '@tps/contract';
import { INCIDENT_MOVES, type IncidentMove } from '@tps/contract/incident-lifecycle';
import { ServiceError } from '../../platform/service-error.ts';
import type { IncidentRecord } from './incident.ts';

export interface Transition {
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
}

/**
 * Applies the lifecycle to a change. Setting the current status is not a transition and changes nothing.
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
      throw refusal(
        `resolution can only be set when the status changes to resolved or closed; the status stays ${from}`,
      );
    }
    return { status: from, resolution: incident.resolution };
  }
  const move = INCIDENT_MOVES[from].find(({ status }) => status === to);
  if (move === undefined) throw refusal(`The status cannot change from ${from} to ${to}`);
  return { status: to, resolution: resolutionAfter(incident, change, move) };
}

function resolutionAfter(
  incident: Pick<IncidentRecord, 'resolution'>,
  { status, resolution, comment }: Pick<IncidentChange, 'status' | 'resolution' | 'comment'>,
  { requires, resolutions }: IncidentMove,
): Resolution | null {
  if (requires === 'resolution') {
    if (resolution === undefined) throw refusal(`resolution is required for the status ${status}`);
    if (!resolutions.includes(resolution)) {
      throw refusal(
        `An open incident can be closed only with one of the resolutions ${resolutions.join(', ')}`,
      );
    }
    return resolution;
  }
  if (requires === 'comment') {
    if (comment === undefined) throw refusal('comment is required to reopen a resolved incident');
    if (resolution !== undefined) throw refusal('resolution must be left out when an incident is reopened');
    return null;
  }
  if (resolution !== undefined && resolution !== incident.resolution) {
    throw refusal(`resolution can only be set when the status changes to resolved, or from open to closed`);
  }
  return incident.resolution;
}

function refusal(message: string): ServiceError {
  return new ServiceError('invalid_state_transition', message);
}

/** The status that the resolution of an incident implies for its threats; null leaves them unchanged. */
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
