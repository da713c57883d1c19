import { describe, expect, test } from 'vitest';
import { MAX_CARD_BYTES, parseGuidanceCard } from './guidance-card.ts';

const FRONT = `title: A message wants your password
threat_category: phishing
severity_min: low
audience: user
locale: en
version: 3
reviewed: 2026-11-21
references:
  - title: One
    url: https://example.org/one
  - title: Two
    url: https://example.org/two?a=b&c=d`;

const BODY = `Somebody pretends to be
a company.

## Do

- Hang up.
- Write to report@example.org about it.

## Don't

- Do not set on_hold.

## Verify

- Look at IC3.gov, 2 \\* 3 < 7 & more.

## Contact

- Your bank.
`;

const card = (front = FRONT, body = BODY) => parseGuidanceCard('en/x.md', `---\n${front}\n---\n\n${body}`);

test('a card is read with its id, its summary and its steps counted through all kinds', () => {
  expect(card()).toEqual({
    guidance_id: 'gui_phishing-user-en',
    title: 'A message wants your password',
    summary: 'Somebody pretends to be a company.',
    threat_category: 'phishing',
    severity_min: 'low',
    audience: 'user',
    locale: 'en',
    steps: [
      { order: 1, kind: 'do', text: 'Hang up.' },
      { order: 2, kind: 'do', text: 'Write to report@example.org about it.' },
      { order: 3, kind: 'dont', text: 'Do not set on_hold.' },
      { order: 4, kind: 'verify', text: 'Look at IC3.gov, 2 * 3 < 7 & more.' },
      { order: 5, kind: 'contact', text: 'Your bank.' },
    ],
    references: [
      { title: 'One', url: 'https://example.org/one' },
      { title: 'Two', url: 'https://example.org/two?a=b&c=d' },
    ],
    version: 3,
  });
});

test('a card with the line ends of Windows is the same card', () => {
  const text = `---\n${FRONT}\n---\n\n${BODY}`;
  expect(parseGuidanceCard('en/x.md', text.replaceAll('\n', '\r\n'))).toEqual(card());
});

const members = [
  'title',
  'threat_category',
  'severity_min',
  'audience',
  'locale',
  'version',
  'reviewed',
  'references',
];

test.each(members)('a front matter without %s is refused by that name', (member) => {
  const front = FRONT.replace(new RegExp(`^${member}:.*\\n?(?:^ .*\\n?)*`, 'm'), '');
  expect(() => card(front)).toThrow(`en/x.md: ${member} is missing`);
});

describe('a front matter is refused, with the member named', () => {
  const swap = (from: string, to: string) => FRONT.replace(from, to);
  test.each([
    ['an unknown member', `${FRONT}\ncolour: red`, 'colour is not a known member'],
    ['__proto__', `${FRONT}\n__proto__: {}`, '__proto__ is not a known member'],
    ['constructor', `${FRONT}\nconstructor: {}`, 'constructor is not a known member'],
    [
      'a title of the prototype',
      `${swap('title:', 'titel:')}\n__proto__: { title: x y }`,
      'title is missing',
    ],
    ['an empty title', swap('A message wants your password', '""'), 'title'],
    ['a title that is a number', swap('A message wants your password', '7'), 'title'],
    ['an unknown category', swap('threat_category: phishing', 'threat_category: fishing'), 'threat_category'],
    ['an unknown severity', swap('severity_min: low', 'severity_min: tiny'), 'severity_min must be one of'],
    ['an unknown audience', swap('audience: user', 'audience: everybody'), 'audience must be one of'],
    ['an unknown locale', swap('locale: en', 'locale: fr'), 'locale must be one of'],
    ['version 0', swap('version: 3', 'version: 0'), 'version'],
    ['a version as text', swap('version: 3', 'version: "3"'), 'version'],
    ['no date', swap('2026-11-21', 'yesterday'), 'reviewed'],
    ['a day that does not exist', swap('2026-11-21', '2026-02-30'), 'reviewed is not a day'],
    ['http', swap('https://example.org/one', 'http://example.org/one'), 'references[0].url'],
    ['a scheme that runs', swap('https://example.org/one', 'javascript:alert(1)'), 'references[0].url'],
    [
      'credentials in a link',
      swap('https://example.org/one', 'https://a:b@example.org/'),
      'references[0].url',
    ],
    ['a space in a link', swap('https://example.org/one', '"https://example.org/a b"'), 'references[0].url'],
    ['one reference', FRONT.slice(0, FRONT.indexOf('\n  - title: Two')), 'references'],
    ['a reference without a title', swap('- title: One\n    url', '- url'), 'references[0].title is missing'],
    ['a reference with more', swap('title: One', 'title: One\n    note: x'), 'references[0].note'],
    ['a list', '- a\n- b', 'the front matter is not a list of members'],
    ['nothing', '', 'the front matter is not a list of members'],
    ['broken YAML', `${FRONT}\n\t- [`, 'the front matter is not YAML'],
    ['a member given twice', `${FRONT}\nversion: 4`, 'the front matter is not YAML'],
    [
      'an alias',
      `${swap('title: One', 'title: &t One')}`.replace('Two', '*t'),
      'the front matter is not YAML',
    ],
  ])('%s', (_what, front, problem) => {
    expect(() => card(front)).toThrow(`en/x.md: ${problem}`);
  });
});

describe('a body is refused, with the place named', () => {
  const swap = (from: string, to: string) => card.bind(undefined, FRONT, BODY.replace(from, to));
  test.each([
    ['no summary', 'Somebody pretends to be\na company.\n', '', 'does not begin with a summary'],
    ['a second paragraph', 'a company.', 'a company.\n\nMore.', '`## Do` is missing where "More." stands'],
    ['a missing section', '## Verify\n', '', '`## Verify` is missing where "## Contact"'],
    ['sections out of order', '## Do\n', "## Don't\n", '`## Do` is missing where "## Don\'t" stands'],
    ['a heading of another language', '## Contact', '## Kontakt', '`## Contact` is missing'],
    ['a heading of another depth', '## Contact', '### Contact', '`## Contact` is missing'],
    ['a section without a list', '- Your bank.', 'Your bank.', 'below `## Contact` stands no list'],
    ['an empty section', '- Your bank.', '', 'below `## Contact` stands no list'],
    ['a numbered list', '- Your bank.', '1. Your bank.', 'below `## Contact` stands no list'],
    ['an empty step', '- Hang up.', '-', 'a step below `## Do` is empty'],
    ['a list in a step', '- Hang up.', '- Hang up.\n  - now', 'a step below `## Do` is more than one'],
    [
      'two paragraphs in a step',
      '- Hang up.',
      '- Hang up.\n\n  Now.',
      'a step below `## Do` is more than one',
    ],
    ['a box to tick', '- Hang up.', '- [ ] Hang up.', 'a step below `## Do` is more than one'],
    ['bold text', 'Hang up.', 'Hang **up**.', 'a step below `## Do` holds markup: **up**'],
    ['a link', 'Hang up.', '[Hang](https://x.org) up.', 'a step below `## Do` holds markup'],
    ['HTML', 'Hang up.', 'Hang <b>up</b>.', 'a step below `## Do` holds markup: <b>'],
    ['code in the summary', 'a company.', '`a company`.', 'the summary holds markup'],
    [
      'text at the end',
      '- Your bank.\n',
      '- Your bank.\n\nThe end.\n',
      '"The end." stands after the last step',
    ],
  ])('%s', (_what, from, to, problem) => {
    expect(swap(from, to)).toThrow(/^en\/x\.md: /);
    expect(swap(from, to)).toThrow(problem);
  });
});

test('a file without front matter is refused', () => {
  expect(() => parseGuidanceCard('en/x.md', BODY)).toThrow(
    'en/x.md: the file does not begin with front matter',
  );
  expect(() => parseGuidanceCard('en/x.md', `---\n${FRONT}\n`)).toThrow('does not begin with front matter');
});

test('a file over the limit is refused unread, one at the limit is read', () => {
  const filler = MAX_CARD_BYTES - Buffer.byteLength(`---\n${FRONT}\n---\n\n${BODY}`);
  const fill = (length: number) => () =>
    card(FRONT, BODY.replace('Hang up.', `Hang up.${'ä'.repeat(length / 2)}`));
  expect(fill(filler - (filler % 2))).not.toThrow();
  expect(fill(filler + 2)).toThrow(`en/x.md: the file is larger than ${MAX_CARD_BYTES} bytes`);
});
