import { expect, test } from 'vitest';
import { tokenize } from '../features/text/tokenize.ts';
import type { CalibratedModel } from '../model/models.ts';
import { scoreUrl } from '../model/score-url.ts';
import { normalizeText } from '../normalize/normalize-text.ts';
import { leadsHome } from './leads-home.ts';

const model: CalibratedModel = {
  linear: { bits: 8, bias: 0, scale: 1, weights: new Int8Array(256), dense: new Float32Array() },
  calibration: { scores: Float32Array.of(-1, 1), probabilities: Float32Array.of(0, 1) },
};

function leads(written: string): boolean {
  const { text, links } = normalizeText(written);
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return leadsHome({
    tokens: tokenize(text),
    words,
    links: links.map(({ url }) => scoreUrl(url, model)),
  });
}

test.each([
  'USPS: your parcel arrives tomorrow. Track it at https://www.usps.com/track',
  'Your parcel arrives tomorrow: https://www.usps.com/track',
  'Royal Mail: we could not deliver today. Rebook at https://www.royalmail.com/rebook',
  'Your tax statement is ready at https://www.gov.uk/account',
])('a notice that links only to its sender leads home: %s', (text) => {
  expect(leads(text)).toBe(true);
});

test.each([
  ['has no link', 'USPS: your parcel arrives tomorrow.'],
  [
    'names a second company',
    'PayPal: your parcel waits. Look at https://www.usps.com/track and sign in to PayPal',
  ],
  ['names another company', 'Your Wells Fargo account is locked, see https://www.usps.com/track'],
  ['has another link', 'USPS: https://www.usps.com/track or https://parcel-track.example.net/a'],
  ['has a link that hides another', 'USPS: https://www.usps.com/?next=https%3A%2F%2Fparcel-track.net%2Fa'],
  ['names a sum', 'USPS: pay $1.99 for your parcel, see https://www.usps.com/track'],
  ['names a number to call', 'USPS: your parcel waits, ring +1 202 555 0143. https://www.usps.com/track'],
  ['names a mail address', 'USPS: write to post@parcels.example.net and see https://www.usps.com/track'],
  ['asks for a code', 'USPS: send me the code that you received. https://www.usps.com/track'],
  ['links to a page that anyone can make', 'Google: https://docs.google.com/forms/d/1'],
])('a message that %s does not lead home', (_, text) => {
  expect(leads(text)).toBe(false);
});
