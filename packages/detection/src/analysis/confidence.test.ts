import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { combineConfidence, correctForMultiplicity } from './confidence.ts';

const confidence = fc.double({ min: 0, max: 1, noNaN: true });
const findings = fc.array(fc.record({ confidence }), { maxLength: 8 });

describe('the models of words and links', () => {
  const join = (words: number, link: number) =>
    combineConfidence([
      { detector: 'text_model', confidence: words },
      { detector: 'url_model', confidence: link },
    ]);

  test('below their thresholds need evidence in common', () => {
    // A link just below a warning, beside words that say nothing, is as suspicious as alone.
    for (const words of [0.05, 0.1, 0.15, 0.2]) expect(join(words, 0.6)).toBeCloseTo(0.6);
    expect(join(0.6, 0.05)).toBeCloseTo(0.6);
    expect(join(0.5, 0.5)).toBeCloseTo(0.75);
    expect(join(0.3, 0.3)).toBeCloseTo(0.424, 2);
  });

  test('lie between the highest of them and noisy-or', () => {
    fc.assert(
      fc.property(confidence, confidence, (words, link) => {
        expect(join(words, link)).toBeGreaterThanOrEqual(Math.max(words, link) - 1e-12);
        expect(join(words, link)).toBeLessThanOrEqual(
          Math.max(words, link, Math.min(0.99, 1 - (1 - words) * (1 - link))) + 1e-12,
        );
      }),
    );
  });

  test('rise with each of them', () => {
    fc.assert(
      fc.property(confidence, confidence, confidence, (words, link, more) => {
        expect(join(Math.max(words, more), link)).toBeGreaterThanOrEqual(join(words, link) - 1e-9);
        expect(join(words, Math.max(link, more))).toBeGreaterThanOrEqual(join(words, link) - 1e-9);
      }),
    );
  });

  test('are joined with other findings by noisy-or', () => {
    const models = [
      { detector: 'text_model', confidence: 0.3 },
      { detector: 'url_model', confidence: 0.3 },
    ] as const;
    const joined = combineConfidence(models);
    expect(combineConfidence([...models, { detector: 'file_format', confidence: 0.5 }])).toBeCloseTo(
      1 - (1 - joined) / 2,
    );
  });
});

describe('the combined confidence of findings', () => {
  test('is noisy-or', () => {
    expect(combineConfidence([{ confidence: 0.5 }, { confidence: 0.5 }])).toBeCloseTo(0.75);
    expect(combineConfidence([])).toBe(0);
  });

  test('never falls when a finding is added, so nothing outweighs an indicator', () => {
    fc.assert(
      fc.property(findings, confidence, (some, more) => {
        expect(combineConfidence([...some, { confidence: more }])).toBeGreaterThanOrEqual(
          combineConfidence(some) - 1e-12,
        );
      }),
    );
  });

  test('is at most 0.99 unless a single finding is more certain', () => {
    fc.assert(
      fc.property(findings, (some) => {
        expect(combineConfidence(some)).toBeLessThanOrEqual(
          Math.max(0.99, ...some.map((finding) => finding.confidence)),
        );
      }),
    );
    expect(combineConfidence(Array.from({ length: 50 }, () => ({ confidence: 0.9 })))).toBe(0.99);
    expect(combineConfidence([{ confidence: 1 }])).toBe(1);
  });
});

test('up to the usual number a probability stays as it is', () => {
  expect(correctForMultiplicity(0.9, { looks: 3, usual: 3 })).toBe(0.9);
  expect(correctForMultiplicity(1, { looks: 300, usual: 3 })).toBe(1);
});

test('four times the usual number leaves an eighth of the odds', () => {
  expect(correctForMultiplicity(0.9, { looks: 12, usual: 3 })).toBeCloseTo(9 / 8 / (1 + 9 / 8));
});

test('a larger number never raises it, and it stays a probability', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(share, fc.nat(10_000), fc.nat(10_000), (probability, some, more) => {
      const fewer = correctForMultiplicity(probability, { looks: some, usual: 3 });
      const many = correctForMultiplicity(probability, { looks: some + more, usual: 3 });
      expect(many).toBeLessThanOrEqual(fewer + 1e-12);
      expect(many).toBeGreaterThanOrEqual(0);
    }),
  );
});
