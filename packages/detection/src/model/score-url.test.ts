import { expect, test } from 'vitest';
import { processorMs } from '../files/testing/analyze-sample.ts';
import type { CalibratedModel } from './models.ts';
import { scoreUrl } from './score-url.ts';

const model: CalibratedModel = {
  linear: { bits: 8, bias: 0, scale: 1, weights: new Int8Array(256), dense: new Float32Array() },
  calibration: { scores: Float32Array.of(-1, 1), probabilities: Float32Array.of(0, 1) },
};

test('a link has a probability, a type and traits that do not repeat it', () => {
  const score = scoreUrl('https://paypal-login.weebly.com/verify.php?user=anna@example.org', model);
  expect(score).toMatchObject({ probability: 0.5, threatType: 'credential_phishing' });
  expect(score?.traits).toEqual(['brand_in_name', 'open_hosting', 'says_sign_in', 'mail_address']);
  expect(JSON.stringify(score)).not.toMatch(/paypal|weebly|anna|verify/);
});

test('a link without a brand is only a link that resembles phishing', () => {
  expect(scoreUrl('https://xkqzvb.top/a', model)?.threatType).toBe('phishing_link');
});

test('text that is not a link has no score', () => {
  expect(scoreUrl('not a link', model)).toBeUndefined();
});

test('a link of a megabyte is scored as fast as its first two thousand characters', async () => {
  const busyMs = await processorMs(() => {
    expect(scoreUrl(`https://example.com/${'a-'.repeat(500_000)}`, model)).toBeDefined();
    expect(scoreUrl(`https://${'a.'.repeat(500_000)}com`, model)).toBeUndefined();
  });
  expect(busyMs).toBeLessThan(1000);
});

test.each([
  ['https://pаypal.com/', 'https://paypal.com/'],
  ['https://xn--pypal-4ve.com/signin', 'https://gаrdening.com/signin'],
  ['https://аррӏе.com/', 'https://яблоко.com/'],
  ['https://paypаl-secure.com/', 'https://apple-рост.com/'],
  ['https://www.micrоsoft.com/', 'https://münchen-microsoft.de/'],
])('a brand in letters of another script is counterfeit in %s, not in %s', (counterfeit, other) => {
  expect(scoreUrl(counterfeit, model)?.counterfeit).toBe(true);
  expect(scoreUrl(other, model)?.counterfeit).toBe(false);
});
