import { expect, test } from 'vitest';
import { followLink } from './follow-link.ts';

const GOAL = 'https://paypal-check.example.net/login?id=7';
const PAGE = 'https://paypal-check.example.net/login';
const ESCAPED = encodeURIComponent(GOAL);

test.each([
  ['names no other', GOAL],
  ['has an address in it that is not a link', 'https://a.example.com/http-status?q=https'],
  ['is translated by parameters', 'https://paypal-com.translate.goog/signin?_x_tr_hp=secure--'],
  ['is of a service whose name is longer', 'https://google.com.example.net/amp/s/www.paypal.com/'],
])('a link that %s is judged by itself', (_, link) => {
  expect(followLink(link).judged).toEqual([link]);
});

test.each([
  [
    'a mail filter with its own escapes',
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__paypal-2Dcheck.example.net_login-3Fid-3D7&d=DwMF',
  ],
  ['a mail filter with the link in the path', `https://urldefense.com/v3/__${PAGE}__;!!a`],
  [
    'a translated page',
    'https://paypal--check-example-net.translate.goog/login?id=7&_x_tr_sl=auto&_x_tr_tl=en',
  ],
  ['a translated page with a dot behind', 'https://paypal--check-example-net.translate.goog./login?id=7'],
  ['an accelerated page', 'https://www.google.com/amp/s/paypal-check.example.net/login?id=7'],
  [
    'an accelerated page of another host',
    'https://paypal--check-example-net.cdn.ampproject.org/c/s/paypal-check.example.net/login?id=7',
  ],
])('%s is judged by the page behind it', (_, link) => {
  const { links, judged } = followLink(link);
  expect(judged.map((each) => each.replace('?id=7', ''))).toEqual([PAGE]);
  // An indicator may list either.
  expect(links).toEqual([link, ...judged]);
});

test.each([
  ['its query', `https://ads.example.com/click?to=${ESCAPED}&x=1`],
  ['its path', `https://proxy.example.com/fetch/${GOAL}`],
  ['its path with one slash', `https://proxy.example.com/fetch/${GOAL.replace('//', '/')}`],
  ['its fragment', `https://ads.example.com/#/go?to=${ESCAPED}`],
  ['its query, escaped twice', `https://ads.example.com/click?to=${encodeURIComponent(ESCAPED)}`],
  ['its query, escaped badly', `https://ads.example.com/click?to=%E0${ESCAPED}`],
  ['its query, without a scheme', `https://ads.example.com/click?to=${GOAL.replace('https:', '')}`],
  ['its query, with backslashes', `https://ads.example.com/click?to=${GOAL.replace('//', '%5C%5C')}`],
  [
    'its query, with backslashes and without a scheme',
    `https://ads.example.com/click?to=${GOAL.replace('https://', '/\\')}`,
  ],
  ['its query, without a name', `https://ads.example.com/?${GOAL}`],
  ['its query, without a name and a scheme', `https://ads.example.com/?${GOAL.replace('https:', '')}`],
  ['its query, escaped and without a name', `https://ads.example.com/?${ESCAPED}`],
  ['its query, with a tab', `https://ads.example.com/click?to=ht%09${GOAL.slice(2)}`],
  ['its query, in Base64', `https://www.bing.com/ck/a?!&&p=1&u=a1${btoa(GOAL).replace(/=+$/, '')}&ntb=1`],
  ['a redirect of a search engine', `https://www.google.com/url?q=${ESCAPED}&sa=D&source=docs`],
  ['a redirect behind decoys', `https://www.google.com/url?a=https://a.example.com&q=${ESCAPED}`, true],
])('a link is judged by itself and by the link in %s', (_, link, hasDecoy = false) => {
  const { judged } = followLink(link);
  expect(judged[0]).toBe(link);
  expect(judged).toContain(GOAL);
  if (!hasDecoy) expect(judged).toHaveLength(2);
});

const BARE = 'paypal-check.example.net/login';

test.each([
  ['a parameter for a target', `https://ads.example.com/click?url=${BARE}`],
  ['a parameter, without a path', 'https://steam.example.com/linkfilter/?u=paypal-check.example.net'],
  [
    'a parameter, with an escaped dot',
    'https://www.linkedin.com/redir/redirect?url=paypal-check%2Eexample%2Enet',
  ],
  ['a redirect of a search engine', `https://www.google.com/url?q=${BARE}`],
  ['a redirect of a video site', `https://www.youtube.com/redirect?q=${BARE}`],
  ['the whole query', `https://href.li/?${BARE}`],
  [
    'an escaped part of the path',
    'https://click.pstmrk.it/3s/paypal-check.example.net%2Flogin/aBcD/xYz0/AQ/1',
  ],
  ['a parameter of a login', 'https://books.example.org/login?redirect=paypal-check.example.net'],
  ['a parameter with a port', 'https://books.example.org/?next=paypal-check.example.net:8443/x'],
])('a link without a scheme in %s is followed', (_, link) => {
  const { judged } = followLink(link);
  expect(judged).toHaveLength(2);
  expect(judged[1]).toMatch(/^https:\/\/paypal-check\.example\.net/);
});

test.each([
  ['a search', 'https://www.google.com/search?q=paypal-check.example.net'],
  ['a referrer', 'https://shop.example.com/?utm_source=news.example.net&ref=example.net'],
  ['a file', 'https://files.example.com/?next=setup.zip'],
  ['a file in a folder', 'https://files.example.com/a%2Fb.py'],
  ['a page of the same site', 'https://shop.example.com/login?next=/account.html'],
  ['a page without a folder', 'https://shop.example.com/login?next=account.html'],
  ['a version', 'https://shop.example.com/?to=1.2.3'],
  ['a sum', 'https://shop.example.com/?q=19.99'],
  ['a name', 'https://shop.example.com/?user=jane.doe'],
])('%s is not a target', (_, link) => {
  expect(followLink(link).judged).toEqual([link]);
});

test('of many links inside one another, the outermost are followed', () => {
  let link = GOAL;
  for (let depth = 0; depth < 6; depth += 1)
    link = `https://s${depth}.example.com/?u=${encodeURIComponent(link)}`;
  const { links, isWhole } = followLink(link);
  expect(links).toHaveLength(4);
  expect(isWhole).toBe(false);
  expect(links[0]).toBe(link);
  const many = Array.from(
    { length: 50 },
    (_, at) => `u${at}=${encodeURIComponent(`https://g${at}.example.net/`)}`,
  );
  expect(followLink(`https://a.example.com/?${many.join('&')}`)).toMatchObject({
    links: { length: 5 },
    isWhole: false,
  });
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

test('a link behind padding is followed', () => {
  const link = `https://example.com/?a=${'b'.repeat(50_000)}&u=https://example.net/x`;
  expect(followLink(link).links).toEqual([link, 'https://example.net/x']);
});
