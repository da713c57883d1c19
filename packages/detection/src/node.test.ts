import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createDetector } from './detector.ts';
import { scoreUrl } from './model/score-url.ts';
import { loadShippedModels } from './node.ts';

const MODELS = new URL('../models/redistributable.tpsm', import.meta.url);
const models = loadShippedModels();
/** The share that probabilities assume: content without any sign has this probability of being a threat. */
const SHARE_OF_THREATS = 0.25;

test('the shipped models may be redistributed, and are small', () => {
  expect(models.licence).toBe('redistributable');
  expect(statSync(MODELS).size).toBeLessThanOrEqual(600 * 1024);
});

test('a warning takes more than a suspicion, and a block more than a warning', () => {
  for (const { warn, block } of Object.values(models.thresholds)) {
    expect(warn).toBeGreaterThan(SHARE_OF_THREATS);
    expect(block).toBeGreaterThan(warn);
    expect(block).toBeLessThan(1);
  }
});

// Invented after public reports; none is in any data.
test.each([
  'https://paypal-account-verify.top/login',
  'http://netflix.billing-update.icu/login.php',
  'https://metamask-wallet-connect.pages.dev/',
  'https://dhl.parcel-fee-payment.cyou/pay',
  'https://trezzor-start-io.webflow.io',
])('%s leads to a warning', (url) => {
  expect(scoreUrl(url, models.url)?.probability).toBeGreaterThanOrEqual(models.thresholds.url.warn);
});

test.each([
  'https://www.paypal.com/signin',
  'https://account.apple.com/account/manage',
  'https://en.wikipedia.org/wiki/Phishing',
  'https://help.netflix.com/en/node/365',
  'https://www.gov.uk/sign-in-universal-credit',
  'https://anna-schmidt.github.io/portfolio',
  'https://www.nytimes.com/2024/05/03/world/europe/some-long-title.html',
])('%s does not lead to a warning', (url) => {
  expect(scoreUrl(url, models.url)?.probability).toBeLessThan(models.thresholds.url.warn);
});

test.each(['https://pаypal.com/', 'https://xn--80ak6aa92e.com/'])(
  'a brand in letters of another script is blocked, alone and among benign words: %s',
  (url) => {
    const detector = createDetector({ models });
    const message = detector.classify({ type: 'text', text: `See you tomorrow at nine, mum. ${url}` });
    for (const classification of [message, detector.classify({ type: 'url', url })]) {
      expect(classification).toMatchObject({ verdict: 'block', category: 'phishing' });
      expect(classification.details).toContain('spells a well-known brand in letters of another script');
    }
  },
);

test('content with a low probability is not described as a scam', () => {
  const detector = createDetector({ models });
  const { verdict, confidence, details } = detector.classify({
    type: 'text',
    text: 'We buy houses in Leeds for cash. Call Anna on 0113 496 0000.',
  });
  expect(confidence).toBeLessThan(0.5);
  expect(verdict).toBe('allow');
  expect(details).toContain('some of its words also occur in scams');
  expect(detector.classify({ type: 'url', url: 'https://github.com/login' }).details).not.toContain(
    'is like those',
  );
});
