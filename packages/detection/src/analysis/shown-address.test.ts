import { expect, test } from 'vitest';
import { processorMs } from '../files/testing/analyze-sample.ts';
import { compareShown } from './shown-address.ts';

test.each([
  ['https://www.sparkasse.de/login', 'http://studio-sandri.it/as207781'],
  ['www.paypal.com', 'https://pay-desk.net/x'],
  ['amazon.de', 'https://amazon.orders-help.com/x'],
  ['https://login.microsoftonline.com', 'https://studio.example.net/x'],
  ['https://www.gov.uk/tax', 'https://refund-desk.org/'],
  ['impots.gouv.fr', 'https://impots-remboursement.fr/'],
  ['https://blog.google', 'https://blog-google.net/'],
  ['spotify.link/abc', 'https://x.example.net/'],
  ['"https://www.ing.de"', 'https://ing-login.de/'],
  ['https://www.facebook.com', 'https://faceb.example.net/'],
  ['https://www.facebook.com/login', 'https://faceb.example.net/'],
  ['https://www.bankofamerica.com:443/', 'https://example.net/?next=https://www.bankofamerica.com'],
  ['www.postnl.nl', 'https://203.0.113.9/nl'],
  ['https://WWW.PAYPAL.COM', 'https://paypal.example.net'],
])('a link that shows %s and leads to %s is made to deceive', (shown, href) => {
  expect(compareShown(shown, href)).toBe('owner_shown');
});

test.each([
  ['a unknown site', 'https://bank.example.com', 'https://other.example.org/x'],
  ['a profile', 'www.facebook.com/museum', 'https://tracking.newsletter-example.de/tc/?id=1'],
  ['a click counter of a mail service', 'www.paypal.com', 'https://u123.ct.sendgrid.net/ls/click?upn=1'],
  ['a partner program', 'www.amazon.de', 'https://www.awin1.com/cread.php?awinmid=1'],
])('a link that shows one domain and leads to another is a weak sign for %s', (_, shown, href) => {
  expect(compareShown(shown, href)).toBe('other_domain_shown');
});

test.each([
  ['the same site', 'https://www.sparkasse.de', 'https://www.sparkasse.de/login'],
  ['a national site', 'www.amazon.de', 'https://www.amazon.com/gp/help'],
  ['a second domain', 'https://www.dhl.de/sendung', 'https://dhl-geschaeftskundenportal.de/x'],
  ['a short domain', 'www.amazon.de', 'https://amzn.eu/d/abc'],
  ['a product of it', 'https://login.microsoftonline.com', 'https://www.office.com/login'],
  ['another authority', 'www.gov.uk/tax', 'https://www.tax.service.gov.uk/x'],
  [
    'its site behind a gateway',
    'www.paypal.com',
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fwww.paypal.com%2Fx&data=1',
  ],
  ['words', 'Click here', 'https://other.example.org/x'],
  ['a relative link', 'www.paypal.com', '/login'],
  ['words with a domain', 'Sign in at paypal.com today', 'https://other.example.org/x'],
  ['a mail address', 'help@paypal.com', 'https://other.example.org/x'],
])('a link that shows and leads to %s has no sign', (_, shown, href) => {
  expect(compareShown(shown, href)).toBeUndefined();
});

test('ten thousand long texts are compared quickly', async () => {
  const busyMs = await processorMs(() => {
    for (let time = 0; time < 10_000; time += 1) compareShown('a.'.repeat(400), 'https://example.org/');
  });
  expect(busyMs).toBeLessThan(2000);
});
