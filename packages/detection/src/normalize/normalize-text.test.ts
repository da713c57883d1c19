import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../files/testing/analyze-sample.ts';
import { normalizeText } from './normalize-text.ts';

const read = (text: string): string => normalizeText(text).text;

/** Fragments that trigger each rule, alone and in combination. */
const FRAGMENT = fc.oneof(
  fc.constantFrom(
    ...'verifyyouraccount|verifyyour|pasword|acocunt|b1ock|a(count| dot com slash a|aa_bb|_|&amp;|&lt;|&#38;|&#x26;|amp;|#38;|lt;|v e r i f y|f.r.e.e|pa$$word|acc0unt|v1agra|\u200b|\u202e|\u00ad|\ud800|\udc00|\u0301\u0323|сору|раураl|привет|καλημέρα|Ⓥⓔⓡⓘⓕⓨ|🅵🆁🅴🅴|👨‍👩‍👧‍👦|🇺🇸|ﷺ|ﬁ|İ|ß|Σ|www.a.com|hxxp://b[.]net/x|c {dot} org|d . com|http://1.2.3.4/|<link>|<|>|$500|10am|b4| |  |\n|.|,|/|@|a@b.com|a.it|now.Click|1|0|l|é|한국|مرحبا|ᴠᴇʀɪꜰʏ|x'.split(
      '|',
    ),
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const HOSTILE = fc.array(FRAGMENT, { maxLength: 12 }).map((fragments) => fragments.join(''));

describe('normalizeText', () => {
  it.each([
    ['Vеrify yоur ассоunt', 'verify your account'],
    ['V\u200be\u00adr\u2060ify', 'verify'],
    ['𝐕𝐞𝐫𝐢𝐟𝐲 ｙｏｕｒ 🅰🅲🅲🅾🆄🅽🆃', 'verify your account'],
    ['ᴠᴇʀɪꜰʏ Ꭺccount', 'verify account'],
    ['P.a.y.P.a.l says v e r i f y  n o w', 'paypal says verify n o w'],
    ['Pa$$word for your acc0unt, V1agra', 'password for your account, viagra'],
    ['Pàypál vérífy', 'paypal verify'],
    ['see https://a.example.com/x?y now', 'see <link> now'],
    ['pay\u200bpal-login.com', '<link>'],
    ['Your &#112;arcel &amp;amp; its fee&nbsp;&lt;due&gt;', 'your parcel & its fee <due>'],
    ['Open \u202ewon', 'open now'],
    ['Please \u202etnuocca ruoy yfirev\u202c now', 'please verify your account now'],
    ['VerifyYourAccountNow at PayPal', 'verify your account now at paypal'],
    ['SendMeAGiftCard', 'send me a gift card'],
    ['verifyyouraccountnow', 'verify your account now'],
    ['yourpackagefromuspswasheldpleasepaythefee', 'your package from us ps was held please pay the fee'],
    ['confirm_your_bank_details today', 'confirm your bank details today'],
    ['Your pasword and acocunt', 'your password and account'],
    ['accounnt, Verfiy', 'account, verify'],
    ['b1ock 1ogin, your a(count and mes5a9e', 'block login, your account and message'],
    ['open example dot com slash login now', 'open <link> now'],
    ['go to evil dot co dot uk', 'go to <link>'],
    ['aBcDeFgHiJkLmN of YouTube', 'abcdefghijklmn of youtube'],
  ])('removes the disguises of %j', (written, meant) => {
    expect(read(written)).toBe(meant);
  });

  it.each([
    'привет, как дела? скоро приду',
    'καλημερα σε ολους',
    'it costs $500 or £1.50, at 10am on the 2nd, gr8, b4 4pm',
    'order 7x42k9, model rtx4090, iphone15, a4 and mp3',
    'r u ok? i c u',
    '한국어 안내',
    'ben & jerry, at&t; q&a',
    'nevertheless a straightforward misunderstanding of internationalization',
    'krankenversicherungsbeitrag, onafhankelijkheid, disponibilidades, anticonstitutionnellement',
    'we banned goggles, wining and the offres of mooney',
    'call(now) or a+b, 4cards, 7days, £5(each)',
    'thecatandthedog@example.org and #verifyyouraccount',
    'mail john_smith@example.org my_report_final.pdf',
    'the dot in the text, and a slash between',
  ])('keeps %j as it is', (text) => {
    expect(read(text)).toBe(text);
  });

  it('limits the marks on a letter to the few that a language has', () => {
    expect(read(`\u0628${'\u064b\u0651'.repeat(1000)}`).length).toBeLessThan(6);
  });

  it('reads only the first 100,000 characters', () => {
    const { text, links } = normalizeText(`${'a '.repeat(50_000)}end example.com`);
    expect(text).not.toContain('end');
    expect(links).toEqual([]);
  });

  it.each([
    'write to p@ul.smith',
    '@team4you and #mp3s',
    'a w3c page on k8s',
    'the U.S.A. team',
    '5\u03bcg',
    '2\u00d74 m',
  ])('counts no disguise in %j', (written) => {
    expect(normalizeText(written).disguises).toEqual({
      invisible: 0,
      confusable: 0,
      spaced: 0,
      leetspeak: 0,
    });
  });

  it.each([
    ['another control of direction', '\u202e\u2066Verify now: https://a.example.com/x'],
    ['the end of a line', '\u202e\u2029Verify now: https://a.example.com/x'],
    ['a reference to one', '&#8238;Verify now: https://a.example.com/x'],
  ])('is not misled by an override before %s', (_what, text) => {
    expect(normalizeText(text)).toMatchObject({
      text: 'verify now: <link>',
      links: [{ url: 'https://a.example.com/x' }],
    });
  });

  it('also has the links that only the text as written has', () => {
    const { links } = normalizeText('see https://a.example.com&nbsp;@b.example.net/x');
    expect(links.map(({ url }) => url)).toEqual([
      'https://a.example.com',
      'https://a.example.com&nbsp;@b.example.net/x',
    ]);
  });

  it('counts the removed disguises', () => {
    expect(normalizeText('f\u200bree v e r i f y pa$$word ассоunt').disguises).toEqual({
      invisible: 1,
      confusable: 1,
      spaced: 1,
      leetspeak: 1,
    });
  });

  it('is idempotent, and stays within its bound', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const once = read(text);
        expect(read(once)).toBe(once);
      }),
      { numRuns: repetitions({ short: 1_000, soak: 10_000 }) },
    );
  });

  it.each([
    [300, 300],
    [10_000, 400],
  ])(
    'goes through a text as often as it needs, a long one twice: of %d links it reads %d',
    (written, links) => {
      expect(read('www.a.com '.repeat(written)).match(/<link>/g)).toHaveLength(links);
    },
  );

  it.each([
    ['one letter', 'a'],
    ['combining marks of two classes', '\u0301\u0323'],
    ['a cluster of emoji', '👨\u200d👩\u200d'],
    ['single letters', 'a '],
    ['dots', '.'],
    ['defanged dots', '[.]'],
    ['schemes without a host', 'http://'],
    ['schemes of no page', 'a://'],
    ['hosts', 'a.b.'],
    ['colons', 'a:'],
    ['ligatures that grow', 'ﷺ'],
    ['halves of surrogate pairs', '\ud800'],
    ['bidirectional overrides', '\u202e\u202d'],
    ['signs for letters', '0a@$'],
    ['ampersands in ampersands', '&amp;amp;#38;'],
    ['right-to-left overrides', '\u202ea'],
    ['capitals', 'aBcDeF'],
    ['Cyrillic look-alikes', 'асе'],
    ['at signs', 'a@b.'],
    ['open brackets', '[('],
    ['dots with blanks', ' . '],
    ['zeros', '0'],
    ['labels before a scheme', `${'a.'.repeat(40_000)}://`],
    ['one host after another', 'aa.com/'],
    ['joined words', 'theythemandthenallthe '],
    ['one run of words', 'verifyyouraccount'],
    ['misspelt words', 'pasword '],
    ['signs with two readings', 'ab1!|6('],
    ['spelt-out dots', 'a dot '],
    ['spelt-out paths', 'a dot com slash '],
    ['spelt-out slashes', ' slash a'],
    ['underscores', 'aa_'],
  ])('normalizes 100 KB of %s quickly', async (_what, unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    // Takes 10 to 100 ms; quadratic work on 100 KB would take half a minute.
    const busyMs = await processorMs(() => expect(read(text).length).toBeLessThanOrEqual(110_000));
    expect(busyMs).toBeLessThan(1500);
  });
});

it('Turkish letters and Swedish words are not read as disguises', () => {
  const turkish = normalizeText('Hesabınız askıya alınmıştır, IŞIK');
  expect(turkish.text).toBe('hesabiniz askiya alinmistir, isik');
  expect(turkish.disguises.confusable).toBe(0);
  expect(normalizeText('Grattis, du har vunnit').text).toBe('grattis, du har vunnit');
});
