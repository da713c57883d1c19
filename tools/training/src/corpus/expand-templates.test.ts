import { expect, it } from 'vitest';
import { expandTemplates } from './expand-templates.ts';

const SEEDS = expandTemplates(1);

it('gives the same texts for the same seed, and others for another', () => {
  expect(expandTemplates(1)).toEqual(SEEDS);
  expect(expandTemplates(2)).not.toEqual(SEEDS);
});

it('fills every choice and slot of every template', () => {
  expect(SEEDS.filter(({ content }) => /[[\]{}|]/.test(content))).toEqual([]);
  expect(SEEDS.every(({ content }) => content.length > 5)).toBe(true);
});

it('gives a few thousand texts of both kinds', () => {
  const threats = SEEDS.filter(({ threat }) => threat).length;
  expect(threats).toBeGreaterThan(2000);
  expect(SEEDS.length - threats).toBeGreaterThan(2000);
});
