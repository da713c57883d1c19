import { expect, it } from 'vitest';
import { selectOwnedDomains } from './owned-domains.ts';

const none = { sharedCredentials: '[]', google: '{"list":[]}', reviewed: '' };

it('domains that share accounts with the site of one company belong to it', () => {
  const sharedCredentials = JSON.stringify([
    { shared: ['netflix.com', 'netflix.shop'] },
    { from: ['old-bank.example.com'], to: ['chase.com'] },
    { shared: ['paypal.com', 'ebay.com', 'auctions.example.com'] },
    { shared: ['shop.example.com', 'shop.example.net'] },
  ]);
  expect(selectOwnedDomains({ ...none, sharedCredentials })).toEqual(
    new Map([
      ['chase', ['chase.com', 'old-bank.example.com']],
      ['netflix', ['netflix.com', 'netflix.shop']],
    ]),
  );
});

it('of a company on whose site everyone can publish, only reviewed domains are listed', () => {
  const sharedCredentials = JSON.stringify([{ shared: ['adobe.com', 'behance.net'] }]);
  expect(selectOwnedDomains({ ...none, sharedCredentials, reviewed: '# why\nadobe: adobe.ly\n' })).toEqual(
    new Map([['adobe', ['adobe.ly']]]),
  );
});

it('national domains of Google are listed, its other domains are not', () => {
  const google = JSON.stringify({ list: ['.google.com', '.google.ad', '.blogspot.com', '.googleapis.com'] });
  expect(selectOwnedDomains({ ...none, google })).toEqual(new Map([['google', ['google.ad']]]));
});

it.each([
  ['an unknown company', 'nosuch: a.example'],
  ['a line of another form', 'paypal paypal.me'],
  ['a domain that is listed twice', 'paypal: py.pl\nebay: py.pl'],
])('the review cannot have %s', (_, reviewed) => {
  expect(() => selectOwnedDomains({ ...none, reviewed })).toThrow(/Expected|Listed twice/);
});
