import { expect, test } from 'vitest';
import { FeatureList } from '../features/feature-list.ts';
import { scoreLinear } from './linear-model.ts';

test('hashed features count by their byte and the scale, dense ones by their weight', () => {
  const features = new FeatureList(2);
  features.addHash(0b1101, 2);
  features.addDense(0, 3);
  features.addDense(1, 0);
  expect(features.length).toBe(2);
  const model = {
    bits: 2,
    bias: 1,
    scale: 0.5,
    weights: Int8Array.of(0, 10, 0, 0),
    dense: Float32Array.of(4, 5),
  };
  expect(scoreLinear(model, features)).toBe(1 + 2 * 10 * 0.5 + 3 * 4);
});

test('a list grows beyond its initial size, and is empty when cleared', () => {
  const features = new FeatureList(10);
  for (let at = 0; at < 2000; at += 1) features.addHash(at);
  expect([features.length, features.indices[1999]]).toEqual([2000, 1999 % 1024]);
  features.clear();
  expect(features.length).toBe(0);
});
