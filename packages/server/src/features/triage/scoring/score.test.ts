import { readFileSync } from 'node:fs';
import { ACTIONS, SEVERITIES, THREAT_CATEGORIES } from '@tps/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CaseEvent, CaseFile } from '../case/case-file.ts';
import type { Evidence } from '../case/evidence.ts';
import { scoreCase } from '../steps/classify.ts';
import type { ClassificationBasis, Correlation } from '../triage-results.ts';
import { BANDS, WEIGHTS } from './score-weights.ts';

const DOCUMENT = new URL('../../../../../../docs/triage.md', import.meta.url);

const event = fc.record<CaseEvent>({
  eventId: fc.nat(1e6).map((number) => `evt_${number}`),
  position: fc.nat(1000),
  atMs: fc.nat(1e9),
  receivedAtMs: fc.nat(1e9),
  deviceId: fc.constantFrom('dev_a', 'dev_b', 'dev_c'),
  category: fc.constantFrom(...THREAT_CATEGORIES),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  action: fc.constantFrom(...ACTIONS),
  policyId: fc.constantFrom('pol_a', 'pol_b'),
  severity: fc.constantFrom(...SEVERITIES),
  description: fc.constant(null),
  indicators: fc.constant([]),
  keys: fc.subarray(['k1', 'k2', 'k3']),
  chain: fc.constantFrom('linked', 'gap', 'fork', 'unchained'),
  alertId: fc.constant(null),
  threatId: fc.constant(null),
  corrects: fc.option(fc.nat(1e6).map((number) => `evt_${number}`)),
  correctionReason: fc.constant(null),
});

const incidentIds = fc.uniqueArray(
  fc.nat(100).map((number) => `inc_${number}`),
  { maxLength: 12 },
);

const basis: fc.Arbitrary<ClassificationBasis> = fc
  .record({
    events: fc.array(event, { maxLength: 15 }),
    falseIncidents: incidentIds,
    trueIncidents: incidentIds,
    updatedAtMs: fc.nat(1e9),
    sameIndicatorFalse: incidentIds,
    known: fc.boolean(),
    threshold: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    others: fc.nat(10),
    related: fc.nat(30),
    campaign: fc.boolean(),
    verdicts: fc.array(fc.constantFrom(...ACTIONS), { maxLength: 6 }),
    earlier: fc.nat(3),
  })
  .map((parts) => toBasis(parts));

interface Parts {
  events: CaseEvent[];
  falseIncidents: string[];
  trueIncidents: string[];
  updatedAtMs: number;
  sameIndicatorFalse: string[];
  known: boolean;
  threshold: number | null;
  others: number;
  related: number;
  campaign: boolean;
  verdicts: ('allow' | 'warn' | 'block')[];
  earlier: number;
}

function toBasis(parts: Parts): ClassificationBasis {
  const { events } = parts;
  const current = {
    name: 'p',
    version: 1,
    action: 'block',
    threshold: parts.threshold,
    isEnabled: parts.known,
    isArchived: false,
    updatedAtMs: parts.updatedAtMs,
  } as const;
  const scans = parts.verdicts.map((verdict, index) => ({
    scanId: `scn_${index}`,
    status: 'completed',
    verdict,
    threatType: 't',
    category: null,
    confidence: 0.5,
    details: '',
    scannedAtMs: 0,
    knownThreatIds: null,
  }));
  const file = { incidents: [], alerts: [], threats: [], devices: [], events, scans } as unknown as CaseFile;
  const evidence = {
    histories: [],
    others: [],
    otherCount: parts.others,
    policies: ['pol_a', 'pol_b'].map((policyId) => ({
      policyId,
      current: parts.known ? current : null,
      events: 1,
      falseIncidents: parts.falseIncidents,
      trueIncidents: parts.trueIncidents,
    })),
    earlier: Array.from({ length: parts.earlier }, (_, index) => ({
      incidentId: `inc_e${index}`,
      deviceId: 'dev_a',
      category: events[0]?.category ?? 'phishing',
      status: 'resolved',
      resolution: 'true_positive',
      createdAtMs: 0,
    })),
    sameIndicatorFalse: parts.sameIndicatorFalse,
    contradictions: [],
    withdrawnElsewhere: [],
    isLookupCut: false,
    cuts: [],
  } as unknown as Evidence;
  const harmful = events.filter(({ action }) => action !== 'allow').length;
  const correlation: Correlation = {
    campaigns: parts.campaign
      ? [
          {
            incidentId: 'inc_c',
            status: 'open',
            resolution: null,
            severity: 'high',
            devices: 4,
            sharesIndicator: true,
          },
        ]
      : [],
    firstSeenMs: 0,
    lastSeenMs: 1,
    devices: new Set(events.map(({ deviceId }) => deviceId)).size,
    otherDevices: parts.others,
    platforms: [],
    harmful,
    related: parts.related,
    perHour: 1,
    burst: 1,
  };
  return { file, evidence, correlation };
}

test('the points of the reasons add up to the score, which lies between 0 and 100', () => {
  fc.assert(
    fc.property(basis, (made) => {
      const { score, reasons } = scoreCase(made);
      expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
      expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
      const codes = reasons.map(({ code }) => code);
      expect(new Set(codes).size).toBe(codes.length);
    }),
    { numRuns: 500 },
  );
});

test('higher confidence never lowers the score, and another false alarm never raises it', () => {
  fc.assert(
    fc.property(basis, (made) => {
      const { score } = scoreCase(made);
      const surer = made.file.events.map((each) => ({ ...each, confidence: 1 }));
      expect(scoreCase({ ...made, file: { ...made.file, events: surer } }).score).toBeGreaterThanOrEqual(
        score,
      );
      const policies = made.evidence.policies.map((policy) => ({
        ...policy,
        falseIncidents: [...policy.falseIncidents, 'inc_more'],
      }));
      expect(scoreCase({ ...made, evidence: { ...made.evidence, policies } }).score).toBeLessThanOrEqual(
        score,
      );
    }),
    { numRuns: 300 },
  );
});

test('docs/triage.md lists every weight and both limits of the bands', () => {
  const page = readFileSync(DOCUMENT, 'utf8');
  const points = Object.values(WEIGHTS).flatMap((weight) =>
    typeof weight === 'number' ? [weight] : Object.values(weight),
  );
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  const written = rows
    .flatMap((row) => row.match(/[+−]?\b\d+\b/g) ?? [])
    .map((text) => Number(text.replace('−', '-')));
  for (const point of [...points, BANDS.genuineFrom, BANDS.falseUpTo]) expect(written).toContain(point);
});

test('another correction to allow never makes a case likely false while other decisions remain', () => {
  fc.assert(
    fc.property(basis, (made) => {
      const { events } = made.file;
      const standing = {
        ...made,
        file: { ...made.file, events: events.filter(({ corrects }) => corrects === null) },
      };
      const before = scoreCase(standing);
      const category = standing.file.events[0]?.category ?? 'phishing';
      const root = { ...eventOf('evt_taken', 'block'), category, position: 2000 };
      const taken = { ...eventOf('evt_taking', 'allow'), category, corrects: 'evt_taken', position: 2001 };
      const after = scoreCase({
        ...standing,
        file: { ...standing.file, events: [...standing.file.events, root, taken] },
      });
      fc.pre(standing.file.events.some(({ action }) => action !== 'allow'));
      expect(after.score).toBe(before.score);
    }),
    { numRuns: 300 },
  );
});

function eventOf(eventId: string, action: 'allow' | 'block'): CaseEvent {
  const [made] = fc.sample(event, { numRuns: 1, seed: 1 });
  return { ...(made as CaseEvent), eventId, action, corrects: null, chain: 'linked' };
}
