import { calibrate, FeatureList, scoreLinear } from '@tps/detection/training';
import { expect, test } from 'vitest';
import { createRandom } from '../rows/split.ts';
import { countRatios } from './count-ratios.ts';
import { Examples } from './examples.ts';
import { fitCalibration } from './fit-calibration.ts';
import { toLinearModel, trainLinear } from './train-linear.ts';

const TRAINING = { bits: 6, denseCount: 1, epochs: 5, rate: 0.1, l1: 0.01, l2: 0.01, seed: 3 };

/** Feature 7 marks a threat, 8 a benign row; 20 to 29 are noise. */
function someExamples(): Examples {
  const random = createRandom(1);
  const examples = new Examples();
  const features = new FeatureList(6);
  for (let at = 0; at < 2000; at += 1) {
    features.clear();
    features.addHash(at % 2 === 0 ? 7 : 8);
    features.addHash(20 + Math.floor(random() * 10));
    examples.add(features, at % 2 === 0);
  }
  return examples;
}

test('training finds the decisive features, and gives the same bytes for the same seed', () => {
  const model = toLinearModel(trainLinear(someExamples(), TRAINING));
  const score = (feature: number) => {
    const features = new FeatureList(6);
    features.addHash(feature);
    return scoreLinear(model, features);
  };
  expect(score(7)).toBeGreaterThan(1);
  expect(score(8)).toBeLessThan(-1);
  expect(toLinearModel(trainLinear(someExamples(), TRAINING))).toEqual(model);
  expect(toLinearModel(trainLinear(someExamples(), { ...TRAINING, seed: 4 }))).not.toEqual(model);
});

test('a feature of one side only counts more than one that both sides share', () => {
  const examples = someExamples();
  const ratios = countRatios(examples, 2 ** TRAINING.bits);
  expect(ratios[7]).toBeGreaterThan(2 * (ratios[20] as number));
  expect(ratios[8]).toBeCloseTo(ratios[7] as number);
  examples.scale(ratios);
  expect(examples.indices[0]).toBe(7);
  expect(examples.values[0]).toBeCloseTo(ratios[7] as number);
});

test('a fitted calibration rises, and matches the outcomes', () => {
  const random = createRandom(5);
  const scored = Array.from({ length: 20_000 }, () => {
    const score = random() * 8 - 4;
    return { score, threat: random() < 1 / (1 + Math.exp(-score)) };
  });
  const calibration = fitCalibration(scored);
  const said = [-3, -1, 0, 1, 3].map((score) => calibrate(calibration, score));
  expect(said).toEqual([...said].sort((one, other) => one - other));
  for (const [at, score] of [-3, -1, 0, 1, 3].entries()) {
    expect(Math.abs((said[at] as number) - 1 / (1 + Math.exp(-score)))).toBeLessThan(0.05);
  }
});
