import { parseLinkAddress, toUrlTraits } from '@tps/detection/training';
import { expect, test } from 'vitest';
import { createRandom } from '../rows/split.ts';
import { synthesizePhishingPage } from './synthesize-phishing-pages.ts';
import { createWordBag } from './word-bag.ts';

function synthesize(seed: number): string[] {
  const bag = createWordBag(createRandom(seed));
  return Array.from({ length: 4000 }, () => synthesizePhishingPage(bag));
}

const links = synthesize(1);

test('the same seed creates the same phishing pages, another seed creates others', () => {
  expect(synthesize(1)).toEqual(links);
  expect(synthesize(2)).not.toEqual(links);
});

test('synthesized phishing pages have public addresses and are rarely on the site of a brand', () => {
  const uses = links.map((link) => {
    const address = parseLinkAddress(link);
    return address ? toUrlTraits(address).brand.use : `not on the internet: ${link}`;
  });
  expect(uses.filter((use) => use.startsWith('not on'))).toEqual([]);
  expect(uses.filter((use) => use === 'own').length).toBeLessThan(links.length / 200);
});

test.each([
  [
    'a copy of a service under another suffix',
    /^[a-z0-9]+(?:\.[a-z]+){1,2}\/(?:games|communities)\/\d{6,15}\//,
  ],
  ['a mail address behind random letters', /\/[A-Za-z0-9]{6,12}[!@]?[A-Za-z0-9]{8}\/[*$][a-z]+@[a-z]+\.com$/],
  ['a page named by a long code', /\/[a-z][0-9a-f]{17}[a-z][0-9a-f]{17}\.html$/],
])('%s is among the synthesized phishing pages', (_, form) => {
  expect(links.filter((link) => form.test(link)).length).toBeGreaterThan(0);
});

test('some synthesized phishing pages are in a folder that is named after a brand', () => {
  const folders = links.filter((link) => {
    const address = parseLinkAddress(link);
    return address?.hosting === undefined && address && toUrlTraits(address).brand.use === 'in_path';
  });
  expect(folders.length).toBeGreaterThan(100);
});
