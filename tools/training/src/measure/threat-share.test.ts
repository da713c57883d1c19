import { expect, test } from 'vitest';
import { atThreatShare, THREAT_SHARE } from './threat-share.ts';

test('threats are weighted to have the share that probabilities assume', () => {
  for (const count of [3, 300]) {
    const rows = Array.from({ length: count + 30 }, (_, at) => ({ score: 0.5, threat: at < count }));
    const weighed = atThreatShare(rows);
    const sum = (threat: boolean) =>
      weighed.filter((row) => row.threat === threat).reduce((total, { weight = 1 }) => total + weight, 0);
    expect(sum(true) / (sum(true) + sum(false))).toBeCloseTo(THREAT_SHARE);
    expect(sum(false)).toBe(30);
  }
});
