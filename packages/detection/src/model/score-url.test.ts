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

test.each([
  'https://amzn.eu/d/abc',
  'https://discord.gift/abc',
  'https://www.gls-pakete.de/abc12',
  'https://fb.watch/abc',
  'https://photos.app.goo.gl/abc',
  'https://apple.news/Aabc123',
  'https://signal.group/#abc',
  'https://www.amazon.science/publications',
  'https://db.tt/abc',
  'https://netflix.shop',
  'https://bank.sbi/web',
])('the domain of a company clears %s', (url) => {
  expect(scoreUrl(url, model)?.probability).toBeLessThanOrEqual(0.2);
});

test.each([
  ['another domain', 'https://amzn.eu.example.com/d/abc'],
  ['a user name', 'https://amzn.eu:x@example.com/'],
  ['a port', 'https://amzn.eu:8443/d/abc'],
  ['letters of another script', 'https://аmzn.eu/d/abc'],
  ['a link that leads on', 'https://amzn.eu/d/abc?u=https://example.com/'],
])('the domain of a company does not clear %s', (_, url) => {
  expect(scoreUrl(url, model)?.probability).toBe(0.5);
});

test.each([
  'https://12345.seu2.cleverreach.com/c/98765432/abcdef0123456-r1abcd',
  'https://museum.us4.list-manage.com/unsubscribe?u=5f3a&id=9c0d',
  'https://u123.ct.sendgrid.net/ls/click?upn=abc',
  'https://museum.acemlna.com/lt.php?x=3DZy',
  'https://click.pstmrk.it/3s/abc',
  'https://r20.rs6.net/tn.jsp?f=001abc',
])('a click counter of a mail service is not evidence by itself: %s', (url) => {
  const certain = {
    ...model,
    calibration: { scores: Float32Array.of(-1, 1), probabilities: Float32Array.of(1, 1) },
  };
  expect(scoreUrl(url, certain)?.probability).toBe(0.5);
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
