import { INCIDENT_STATUSES, type IncidentStatus, RESOLUTIONS } from '@tps/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { threatStatusAfter, transition } from './incident-transition.ts';

/** The table of the contract, row by row: what each transition needs, or `no`. */
const TABLE: Record<
  IncidentStatus,
  Record<IncidentStatus, 'same' | 'yes' | 'no' | 'resolution' | 'dismissal' | 'comment'>
> = {
  open: { open: 'same', in_progress: 'yes', on_hold: 'yes', resolved: 'resolution', closed: 'dismissal' },
  in_progress: { open: 'yes', in_progress: 'same', on_hold: 'yes', resolved: 'resolution', closed: 'no' },
  on_hold: { open: 'no', in_progress: 'yes', on_hold: 'same', resolved: 'resolution', closed: 'no' },
  resolved: { open: 'no', in_progress: 'comment', on_hold: 'no', resolved: 'same', closed: 'yes' },
  closed: { open: 'no', in_progress: 'no', on_hold: 'no', resolved: 'no', closed: 'same' },
};

const isOver = (status: IncidentStatus) => status === 'resolved' || status === 'closed';

/** An incident in a valid state: over with a resolution, otherwise without. */
const incidents = fc
  .tuple(fc.constantFrom(...INCIDENT_STATUSES), fc.constantFrom(...RESOLUTIONS))
  .map(([status, resolution]) => ({ status, resolution: isOver(status) ? resolution : null }));

const changes = fc.record(
  {
    status: fc.constantFrom(...INCIDENT_STATUSES),
    resolution: fc.constantFrom(...RESOLUTIONS),
    comment: fc.constant('because'),
  },
  { requiredKeys: [] },
);

describe('transition', () => {
  test('allows exactly the transitions of the table, with their conditions', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(incidents, changes, (incident, change) => {
        const to = change.status ?? incident.status;
        const needs = TABLE[incident.status][to];
        const isSame = change.resolution === undefined || change.resolution === incident.resolution;
        const isAllowed = {
          same: isSame,
          yes: isSame,
          no: false,
          resolution: change.resolution !== undefined,
          dismissal: ['false_positive', 'duplicate', 'test'].includes(change.resolution ?? ''),
          comment: change.comment !== undefined && change.resolution === undefined,
        }[needs];
        const expected = {
          same: incident.resolution,
          yes: incident.resolution,
          no: null,
          resolution: change.resolution,
          dismissal: change.resolution,
          comment: null,
        }[needs];
        seen.add(`${incident.status} ${to} ${isAllowed}`);
        if (isAllowed) expect(transition(incident, change)).toEqual({ status: to, resolution: expected });
        else
          expect(() => transition(incident, change)).toThrow(
            expect.objectContaining({ code: 'invalid_state_transition' }),
          );
      }),
      { numRuns: 5000 },
    );
    const moves = [...seen].map((move) => move.split(' ').slice(0, 2).join(' '));
    expect(new Set(moves).size).toBe(INCIDENT_STATUSES.length ** 2);
  });

  test('keeps a resolution exactly as long as the incident is over', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 12 }), (all) => {
        let incident: Parameters<typeof transition>[0] = { status: 'open', resolution: null };
        for (const change of all) {
          try {
            incident = transition(incident, change);
          } catch {
            continue;
          }
          expect(incident.resolution !== null).toBe(isOver(incident.status));
        }
      }),
    );
  });
});

test('only a true positive resolves threats; false positive, expected and test dismiss them', () => {
  expect(RESOLUTIONS.map((resolution) => [resolution, threatStatusAfter(resolution)])).toEqual([
    ['true_positive', 'resolved'],
    ['false_positive', 'dismissed'],
    ['benign_expected', 'dismissed'],
    ['duplicate', null],
    ['test', 'dismissed'],
    ['inconclusive', null],
  ]);
});
