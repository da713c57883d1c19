import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CaseEvent, CaseFile, CaseIncident } from './case-file.ts';
import { observationsByIncident } from './incident-events.ts';
import { mattersOf } from './matters.ts';

const few = (...ids: string[]) => fc.subarray(ids, { maxLength: 2 });
const DEVICES = ['dev_a', 'dev_b', 'dev_c'];
const THREATS = ['thr_a', 'thr_b', 'thr_c', 'thr_d'];

const incident = fc.record({
  category: fc.constantFrom('phishing', 'deepfake', 'campaign', 'device_integrity'),
  correlationKey: fc.constantFrom('k1', 'k2', 'k9'),
  deviceIds: few(...DEVICES),
  threatIds: few(...THREATS),
});
const event = fc.record({
  deviceId: fc.constantFrom(...DEVICES),
  threatId: fc.constantFrom(null, ...THREATS),
  alertId: fc.constantFrom(null, 'alr_0', 'alr_1', 'alr_2', 'alr_3'),
  keys: few('k1', 'k2', 'k3', 'k4', 'k5'),
  chain: fc.constantFrom('linked', 'gap'),
  isCorrection: fc.boolean(),
});

/** Alert `alr_n` belongs to incident `inc_n`. A correction corrects the event before it. */
const caseFile = fc
  .record({ incidents: fc.array(incident, { maxLength: 8 }), events: fc.array(event, { maxLength: 12 }) })
  .map(({ incidents, events }): CaseFile => {
    const placed = events.map(({ isCorrection, ...members }, index) => ({
      ...members,
      eventId: `evt_${index}`,
      position: index + 1,
      atMs: index,
      action: 'block',
      corrects: isCorrection && index > 0 ? `evt_${index - 1}` : null,
    }));
    return {
      incidents: incidents.map((one, index) => ({ ...one, incidentId: `inc_${index}` })) as never,
      events: placed as unknown as CaseEvent[],
      alerts: incidents.map((_, index) => ({ alertId: `alr_${index}`, incidentId: `inc_${index}` })) as never,
    } as unknown as CaseFile;
  });

/** The same by comparing all links of all incidents. */
function naiveMattersOf(file: CaseFile): string[][] {
  const isTechnical = ({ category }: CaseIncident) => category === 'device_integrity';
  const accompanies = (one: CaseIncident) =>
    isTechnical(one) &&
    file.incidents.some(
      (other) => !isTechnical(other) && other.deviceIds.some((id) => one.deviceIds.includes(id)),
    );
  const groups: { links: Set<string>; incidentIds: string[] }[] = [];
  for (const one of file.incidents.filter((each) => !accompanies(each))) {
    const links = new Set([
      ...one.deviceIds.map((deviceId) => `${one.category} ${deviceId}`),
      one.category === 'campaign' ? one.correlationKey : `incident ${one.incidentId}`,
      ...observationsByIncident(file)(one).observations.flatMap(({ root, current }) => [
        ...root.keys,
        ...current.keys,
      ]),
    ]);
    const joined = groups.filter((group) => [...group.links].some((link) => links.has(link)));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push({
      links: new Set([...links, ...joined.flatMap((group) => [...group.links])]),
      incidentIds: [...joined.flatMap((group) => group.incidentIds), one.incidentId],
    });
  }
  return groups.map(({ incidentIds }) => incidentIds);
}

describe('the matters of a case', () => {
  test('are those that a comparison of all links finds, in the same order', () => {
    fc.assert(
      fc.property(caseFile, (file) => {
        expect(mattersOf(file)).toEqual(naiveMattersOf(file));
      }),
      { numRuns: 3_000 },
    );
  });
});
