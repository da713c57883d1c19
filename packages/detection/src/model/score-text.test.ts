import { describe, expect, it } from 'vitest';
import { hashText } from '../features/hash.ts';
import { DOCUMENT_FEATURES } from '../features/text/document-features.ts';
import { hashWords } from '../features/text/word-features.ts';
import { processorMs } from '../files/testing/analyze-sample.ts';
import { normalizeText } from '../normalize/normalize-text.ts';
import type { CalibratedModel } from './models.ts';
import { prepareText } from './prepare-text.ts';
import { scoreText } from './score-text.ts';

const BITS = 16;

/** Knows three words of threats and one benign word, and uses only the worst twelve words. */
function smallModel(): CalibratedModel {
  const weights = new Int8Array(2 ** BITS);
  const learn = (words: readonly string[], weight: number): void => {
    for (const hash of hashWords(words)) weights[hash & (2 ** BITS - 1)] = weight;
  };
  learn(['parcel', 'fee', 'unpaid'], 100);
  learn(['lunch'], -100);
  const dense = new Float32Array(DOCUMENT_FEATURES);
  dense[0] = 1;
  return {
    linear: { bits: BITS, bias: -4, scale: 0.03, weights, dense },
    calibration: { scores: Float32Array.of(-5, 5), probabilities: Float32Array.of(0, 1) },
  };
}

const score = (text: string) => scoreText(prepareText(normalizeText(text)), smallModel());
const BAIT = 'your parcel is held, pay the unpaid fee';
const SMALL_TALK = 'and then we went to the shop to see what they have for you all '.repeat(12);

describe('scoreText', () => {
  it('has a higher probability for a bait than for small talk', () => {
    expect(score(BAIT)).toBeGreaterThan(0.9);
    expect(score('are you free for lunch with us')).toBeLessThan(0.1);
  });

  it.each([
    ['behind', SMALL_TALK + BAIT],
    ['before', `${BAIT} ${SMALL_TALK}`],
    ['in the middle', `${SMALL_TALK} ${BAIT} ${SMALL_TALK}`],
  ])('finds the bait %s many benign words', (_where, text) => {
    expect(score(text)).toBeGreaterThan(0.8);
  });

  it.each([
    ['no words', '12345 !!! :-)'],
    ['nothing', ''],
    ['another script', 'γεια σας τι κανετε ελατε αυριο'],
    [
      'a language it never learned',
      'tuli huomenna kotiin koska vanhemmat pyysivät ruokaa kaupasta heti illalla',
    ],
  ])('does not score %s', (_what, text) => {
    expect(score(text)).toBeUndefined();
  });

  it('scores 100 KB of repeated words quickly', async () => {
    const text = 'you unpaid '.repeat(10_000);
    const busyMs = await processorMs(() => expect(score(text)).toBeGreaterThan(0.9));
    expect(busyMs).toBeLessThan(5000);
  });
});

it('distinguishes words from pieces in its hashes', () => {
  expect(hashWords(['fee'])[0]).not.toBe(hashText('fee', 0));
});
