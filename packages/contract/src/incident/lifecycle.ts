import { RESOLUTIONS } from '../schema/vocabulary.ts';
import type { IncidentStatus, Resolution } from './schema.ts';

/** A change of status that the lifecycle allows. */
export interface IncidentMove {
  readonly status: IncidentStatus;
  /** What the change must name beside the status. */
  readonly requires: 'resolution' | 'comment' | null;
  /** The resolutions to choose from; empty if the change needs none. */
  readonly resolutions: readonly Resolution[];
}

const free = (status: IncidentStatus): IncidentMove => ({ status, requires: null, resolutions: [] });
const resolve: IncidentMove = { status: 'resolved', requires: 'resolution', resolutions: RESOLUTIONS };
/** An open incident is closed without work on it only if there is nothing to work on. */
const dismiss: IncidentMove = {
  status: 'closed',
  requires: 'resolution',
  resolutions: ['false_positive', 'duplicate', 'test'],
};

/** Every allowed change of status, by the current one; all others are refused. */
export const INCIDENT_MOVES: Readonly<Record<IncidentStatus, readonly IncidentMove[]>> = {
  open: [free('in_progress'), free('on_hold'), resolve, dismiss],
  in_progress: [free('open'), free('on_hold'), resolve],
  on_hold: [free('in_progress'), resolve],
  resolved: [{ status: 'in_progress', requires: 'comment', resolutions: [] }, free('closed')],
  closed: [],
};
