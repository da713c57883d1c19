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

const BODY = `A caller pretends to be
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

test('a card has its id, its summary, and steps numbered across all kinds', () => {
  expect(card()).toEqual({
    guidance_id: 'gui_phishing-user-en',
    title: 'A message wants your password',
    summary: 'A caller pretends to be a company.',
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

test('a card with Windows line endings is the same card', () => {
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

test.each(members)('front matter without %s is rejected with that name', (member) => {
  const front = FRONT.replace(new RegExp(`^${member}:.*\\n?(?:^ .*\\n?)*`, 'm'), '');
  expect(() => card(front)).toThrow(`en/x.md: ${member} is missing`);
});

describe('front matter is rejected, and the error names the member', () => {
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
    ['a day that does not exist', swap('2026-11-21', '2026-02-30'), 'reviewed must be a date'],
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
    ['a list', '- a\n- b', 'the front matter must be a YAML mapping'],
    ['nothing', '', 'the front matter must be a YAML mapping'],
    ['broken YAML', `${FRONT}\n\t- [`, 'the front matter is not valid YAML'],
    ['a member given twice', `${FRONT}\nversion: 4`, 'the front matter is not valid YAML'],
    [
      'an alias',
      `${swap('title: One', 'title: &t One')}`.replace('Two', '*t'),
      'the front matter is not valid YAML',
    ],
  ])('%s', (_what, front, problem) => {
    expect(() => card(front)).toThrow(`en/x.md: ${problem}`);
  });
});

describe('a body is rejected, and the error names the place', () => {
  const swap = (from: string, to: string) => card.bind(undefined, FRONT, BODY.replace(from, to));
  test.each([
    ['no summary', 'A caller pretends to be\na company.\n', '', 'must begin with a summary'],
    ['a second paragraph', 'a company.', 'a company.\n\nMore.', 'expected `## Do`, found "More."'],
    ['a missing section', '## Verify\n', '', 'expected `## Verify`, found "## Contact"'],
    ['sections out of order', '## Do\n', "## Don't\n", 'expected `## Do`, found "## Don\'t"'],
    ['a heading of another language', '## Contact', '## Kontakt', 'expected `## Contact`'],
    ['a heading of another depth', '## Contact', '### Contact', 'expected `## Contact`'],
    ['a section without a list', '- Your bank.', 'Your bank.', '`## Contact` must be followed by'],
    ['an empty section', '- Your bank.', '', '`## Contact` must be followed by'],
    ['a numbered list', '- Your bank.', '1. Your bank.', '`## Contact` must be followed by'],
    ['an empty step', '- Hang up.', '-', 'a step under `## Do` is empty'],
    ['a list in a step', '- Hang up.', '- Hang up.\n  - now', 'a step under `## Do` must be a single'],
    [
      'two paragraphs in a step',
      '- Hang up.',
      '- Hang up.\n\n  Now.',
      'a step under `## Do` must be a single',
    ],
    ['a box to tick', '- Hang up.', '- [ ] Hang up.', 'a step under `## Do` must be a single'],
    ['bold text', 'Hang up.', 'Hang **up**.', 'a step under `## Do` must not contain markup: **up**'],
    ['a link', 'Hang up.', '[Hang](https://x.org) up.', 'a step under `## Do` must not contain markup'],
    ['HTML', 'Hang up.', 'Hang <b>up</b>.', 'a step under `## Do` must not contain markup: <b>'],
    ['code in the summary', 'a company.', '`a company`.', 'the summary must not contain markup'],
    [
      'text at the end',
      '- Your bank.\n',
      '- Your bank.\n\nThe end.\n',
      'unexpected "The end." after the last step',
    ],
  ])('%s', (_what, from, to, problem) => {
    expect(swap(from, to)).toThrow(/^en\/x\.md: /);
    expect(swap(from, to)).toThrow(problem);
  });
});

test('a file without front matter is rejected', () => {
  expect(() => parseGuidanceCard('en/x.md', BODY)).toThrow('en/x.md: the file must begin with front matter');
  expect(() => parseGuidanceCard('en/x.md', `---\n${FRONT}\n`)).toThrow('must begin with front matter');
});

test('a file at the size limit is accepted, and a larger one is rejected', () => {
  const filler = MAX_CARD_BYTES - Buffer.byteLength(`---\n${FRONT}\n---\n\n${BODY}`);
  const fill = (length: number) => () =>
    card(FRONT, BODY.replace('Hang up.', `Hang up.${'ä'.repeat(length / 2)}`));
  expect(fill(filler - (filler % 2))).not.toThrow();
  expect(fill(filler + 2)).toThrow(`en/x.md: the file is larger than ${MAX_CARD_BYTES} bytes`);
});
