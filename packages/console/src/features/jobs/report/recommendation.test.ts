import { expect, test } from 'vitest';
import { readMoments, readRecommendation } from './recommendation.ts';

test('a recommendation is read with its proposals, reasons and checks', () => {
  const document = {
    verdict: 'likely_genuine',
    score: 61,
    proposals: [
      {
        incident_id: 'inc_1',
        now: { status: 'open', resolution: null },
        change: { status: 'resolved', resolution: 'true_positive' },
        why: 'Because',
      },
      { incident_id: 'inc_2', now: { status: 'open', resolution: null }, change: null, why: 'Unclear' },
    ],
    reasons: [{ code: 'x', points: 20, sentence: 'It was blocked.' }],
    checks: [{ code: 'y', result: 'passed', sentence: 'All devices are known.', refs: [] }],
    actions: [{ order: 1, who: 'analyst', what: 'Call.' }],
    questions: ['Was it paid?'],
  };
  expect(readRecommendation(JSON.stringify(document))).toEqual({
    verdict: 'likely_genuine',
    score: 61,
    proposals: [
      { incidentId: 'inc_1', now: 'open', change: 'resolved as true_positive', why: 'Because' },
      { incidentId: 'inc_2', now: 'open', change: undefined, why: 'Unclear' },
    ],
    reasons: [{ points: 20, sentence: 'It was blocked.' }],
    checks: [{ result: 'passed', sentence: 'All devices are known.' }],
    actions: ['analyst: Call.'],
    questions: ['Was it paid?'],
  });
});

test.each(['', 'no json', '[]', '{"proposals": 1, "reasons": [null]}'])(
  'a document of another form does not fail: %s',
  (content) => {
    expect(readRecommendation(content).proposals).toEqual([]);
    expect(readMoments(content)).toEqual([]);
  },
);
