import { expect, test } from 'vitest';
import { followLink } from './follow-link.ts';

const GOAL = 'https://paypal-check.example.net/login?id=7';
const ESCAPED = encodeURIComponent(GOAL);

test.each([
  ['itself, when it names no other', GOAL, [GOAL]],
  ['itself, when an address in it is not a link', 'https://a.example.com/http-status?q=https', undefined],
  ['a redirect of Google', `https://www.google.com/url?q=${ESCAPED}&sa=D&source=docs`, [GOAL]],
  ['a redirect of Facebook', `https://l.facebook.com/l.php?u=${ESCAPED}&h=AT0`, [GOAL]],
  ['a mail filter', `https://eur01.safelinks.protection.outlook.com/?url=${ESCAPED}&data=05`, [GOAL]],
  [
    'a mail filter with its own escapes',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__paypal-2Dcheck.example.net_login-3Fid-3D7&d=DwMF',
    [GOAL],
  ],
  ['a mail filter with the link in the path', `https://urldefense.com/v3/__${GOAL}__;!!a`, [`${GOAL}__;!!a`]],
  [
    'a translated page',
    'https://paypal--check-example-net.translate.goog/login?id=7&_x_tr_sl=auto&_x_tr_tl=en',
    [GOAL],
  ],
  ['an accelerated page', 'https://www.google.de/amp/s/paypal-check.example.net/login?id=7', [GOAL]],
  [
    'an accelerated page of another host',
    'https://paypal--check-example-net.cdn.ampproject.org/c/s/paypal-check.example.net/login?id=7',
    [GOAL],
  ],
  ['an archived page', `https://web.archive.org/web/20260101000000/${GOAL}`, [GOAL]],
  ['a search engine', `https://www.bing.com/ck/a?!&&p=1&u=a1${btoa(GOAL).replace(/=+$/, '')}&ntb=1`, [GOAL]],
  [
    'a redirect inside a redirect',
    `https://www.google.com/url?q=${encodeURIComponent(`https://l.facebook.com/l.php?u=${ESCAPED}`)}`,
    [GOAL],
  ],
])('a link is judged by %s', (_, link, judged) => {
  expect(followLink(link).judged).toEqual(judged ?? [link]);
});

test.each([
  ['its query', `https://ads.example.com/click?to=${ESCAPED}&x=1`],
  ['its path', `https://proxy.example.com/fetch/${GOAL}`],
  ['its path with one slash', `https://proxy.example.com/fetch/${GOAL.replace('//', '/')}`],
  ['its fragment', `https://ads.example.com/#/go?to=${ESCAPED}`],
  ['its query, escaped twice', `https://ads.example.com/click?to=${encodeURIComponent(ESCAPED)}`],
  ['its query, escaped badly', `https://ads.example.com/click?to=%E0${ESCAPED}`],
])('a link to an unknown service is judged by itself and by the link in %s', (_, link) => {
  expect(followLink(link).judged).toEqual([link, GOAL]);
});

test('the services that only lead elsewhere stay in the trail, so that indicators find them', () => {
  const link = `https://www.google.com/url?q=${ESCAPED}`;
  expect(followLink(link).links).toEqual([link, GOAL]);
});

test('of many links inside one another, the outermost are followed', () => {
  let link = GOAL;
  for (let depth = 0; depth < 6; depth += 1)
    link = `https://s${depth}.example.com/?u=${encodeURIComponent(link)}`;
  const { links } = followLink(link);
  expect(links).toHaveLength(4);
  expect(links[0]).toBe(link);
  const many = Array.from(
    { length: 50 },
    (_, at) => `u${at}=${encodeURIComponent(`https://g${at}.example.net/`)}`,
  );
  expect(followLink(`https://a.example.com/?${many.join('&')}`).links).toHaveLength(4);
});

test.each([
  'https://a.example.com/?u=http://',
  'https://a.example.com/?u=aHR0cHM6Ly8',
  'https://.translate.goog/',
  'https://-.translate.goog/x',
  'https://www.google.com/amp/s/',
  'https://urldefense.proofpoint.com/v2/url?u=%',
  'https://a.example.com/?u=%%%http%3A%2F%2F',
  'http://[http://]/',
])('a damaged link is judged by itself at least: %s', (link) => {
  expect(followLink(link).judged[0]).toBe(link);
});
