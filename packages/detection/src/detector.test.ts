import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlainContent } from './content.ts';
import { createDetector } from './detector.ts';
import { processorMs } from './files/testing/analyze-sample.ts';
import type { Indicator } from './indicators/indicator.ts';
import { createIndicatorIndex } from './indicators/indicator-index.ts';
import { loadShippedModels } from './node.ts';
import type { Classification } from './verdict/classification.ts';

const models = loadShippedModels();
const detector = createDetector({ models });

const FRAGMENTS = [
  ...[
    'http://',
    'hxxps://',
    'www.',
    '[.]',
    '.com',
    'xn--',
    '@',
    '://',
    '%00',
    '\u0000',
    '\u200b',
    '\u202e',
    '\ud800',
    'ﷺ',
    '🙂',
  ],
  ...[
    'verify your account ',
    'urgent ',
    'раура1',
    'p a y ',
    'e\u0301',
    'a\u0300\u0301\u0302',
    '1234567890',
    ' \n',
    '.',
    '/',
  ],
];
/** Any text that a person may type, with fragments that the readers look for. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 30 }).map((pieces) => pieces.join('')),
);
const context = fc.option(
  fc.record({ channel: fc.constantFrom('sms', 'email', 'call', 'chat', 'web'), sender: anyText } as const),
  { nil: undefined },
);
const withContext = <C extends object>(content: fc.Arbitrary<C>) =>
  fc.tuple(content, context).map(([one, how]) => ({ ...one, ...(how ? { context: how } : {}) }));
const anyContent = fc.oneof(
  withContext(fc.record({ type: fc.constant('text' as const), text: anyText })),
  withContext(fc.record({ type: fc.constant('url' as const), url: anyText })),
  withContext(
    fc.record({
      type: fc.constant('app' as const),
      packageName: anyText,
      permissions: fc.array(anyText, { maxLength: 5 }),
    }),
  ),
) satisfies fc.Arbitrary<PlainContent>;

function expectSound({
  status,
  verdict,
  confidence,
  category,
  threatType,
  threatDetected,
  details,
}: Classification) {
  expect(confidence).toBeGreaterThanOrEqual(0);
  expect(confidence).toBeLessThanOrEqual(1);
  expect(category === null).toBe(!threatDetected);
  expect(threatType === 'none').toBe(!threatDetected);
  expect(verdict === 'allow' || status === 'unsupported').toBe(!threatDetected);
  expect(details).toMatch(/^[A-Z][^\n]*\.$/);
}

test('any content gets a consistent classification', () => {
  fc.assert(
    fc.property(anyContent, (content) => expectSound(detector.classify(content))),
    { numRuns: repetitions({ short: 4_000, soak: 40_000 }) },
  );
});

test('the same content gets the same classification', () => {
  fc.assert(
    fc.property(anyContent, (content) => {
      expect(detector.classify(content)).toEqual(createDetector({ models }).classify(content));
    }),
    { numRuns: repetitions({ short: 100, soak: 1_000 }) },
  );
});

describe('100,000 characters do not block a device', () => {
  const one = (from: number, count: number) =>
    Array.from({ length: 5000 }, (_, at) => String.fromCodePoint(from + ((at * 197) % count))).join('');

  // The thread takes at most 45 ms once everything is compiled, and 12 ms for benign words; garbage
  // collection counts here too.
  test.each([
    [
      'benign words',
      'your parcel is held, and you have to pay the unpaid fee before we can bring it to you. ',
    ],
    [
      'what every reader looks for, in any order',
      Array.from({ length: 30_000 }, (_, at) => FRAGMENTS[(at * at * 7 + (at >> 3)) % FRAGMENTS.length]).join(
        '',
      ),
    ],
    ['joined emoji', '👩\u200d'],
    ['letters that grow', '\ufdfa'],
    ['spaced letters', 'p a y '],
    ['at signs', 'a@a.'],
    ['domains said aloud', 'a dot com '],
    ['disarmed links', 'hxxp://evil[.]example[.]com/a '],
    ['schemes of no page', 'a://'],
    ['bold letters', '\u{1d41a}\u{1d41b}\u{1d41c} '],
    ['any characters', one(0x20, 0xd7df)],
    ['compatibility forms', one(0x3200, 0x200)],
    ['hosts of ideographs', `http://${'\u4e00'.repeat(250)}.com/ `],
  ])('%s', async (_, unit) => {
    const text = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000);
    const judge = () => processorMs(() => detector.classify({ type: 'text', text }));
    // The first run includes compilation.
    await judge();
    expect(Math.min(await judge(), await judge())).toBeLessThan(250);
  });
});

describe('a detector with indicators', () => {
  const indicator: Indicator = {
    type: 'domain',
    value: 'known.example.org',
    source: 'list',
    category: 'phishing',
    threatType: 'credential_phishing',
    confidence: 0.9,
    validUntilMs: 2000,
  };

  test('finds a listed domain and its subdomains in a message and in a link', () => {
    const index = createIndicatorIndex([indicator]);
    const knowing = createDetector({ models, indicators: () => index, nowMs: () => 1000 });
    for (const content of [
      { type: 'url', url: 'https://a.known.example.org/x' },
      { type: 'text', text: 'See you at hxxp://known[.]example[.]org tonight' },
    ] as const) {
      expect(knowing.classify(content), JSON.stringify(content)).toMatchObject({
        verdict: 'block',
        threatType: 'credential_phishing',
      });
      expect(detector.classify(content).findings.map((finding) => finding.detector)).not.toContain(
        'indicators',
      );
    }
  });

  test('reads the index and the time for each classification', () => {
    let index = createIndicatorIndex([]);
    let nowMs = 1000;
    const knowing = createDetector({ models, indicators: () => index, nowMs: () => nowMs });
    const found = () =>
      knowing
        .classify({ type: 'url', url: 'known.example.org' })
        .findings.some((one) => one.detector === 'indicators');
    expect(found()).toBe(false);
    index = createIndicatorIndex([indicator]);
    expect(found()).toBe(true);
    nowMs = 3000;
    expect(found()).toBe(false);
  });
});

describe('a detector without models', () => {
  const listed: Indicator = {
    type: 'domain',
    value: 'known.example.org',
    source: 'list',
    category: 'phishing',
    threatType: 'credential_phishing',
    confidence: 0.9,
  };
  const index = createIndicatorIndex([listed]);
  const unmodelled = createDetector({ models: undefined, indicators: () => index });

  test.each([
    ['a listed link', { type: 'url', url: 'https://a.known.example.org/x' }],
    [
      'a message with a listed link',
      { type: 'text', text: 'See you at hxxp://known[.]example[.]org tonight' },
    ],
    ['a link that counterfeits a brand', { type: 'url', url: 'https://p\u0430ypal.com/' }],
    ['a message with such a link', { type: 'text', text: 'See you https://xn--80ak6aa92e.com/' }],
  ] as const)('blocks %s', (_, content) => {
    const classification = unmodelled.classify(content);
    expect(classification).toMatchObject({ status: 'completed', verdict: 'block' });
    expect(classification).not.toHaveProperty('modelVersion');
  });

  test.each([
    ['a message', { type: 'text', text: 'See you tonight at eight, bring the blue folder' }],
    ['a message with a link', { type: 'text', text: 'See you at https://www.example.com/news tonight' }],
    ['a link', { type: 'url', url: 'https://www.example.com/news' }],
  ] as const)('does not clear %s', (_, content) => {
    const { status, verdict, details } = unmodelled.classify(content);
    expect({ status, verdict }).toEqual({ status: 'unsupported', verdict: 'warn' });
    expect(details).toContain('no model is loaded');
  });

  test.each([[[]], [['SYSTEM_ALERT_WINDOW', 'BIND_ACCESSIBILITY_SERVICE', 'READ_SMS']]])(
    'judges an app as one with models does: %j',
    (names) => {
      const permissions = names.map((name) => `android.permission.${name}`);
      const app = { type: 'app', packageName: 'org.example.torch', permissions } as const;
      const { verdict, status } = detector.classify(app);
      expect(unmodelled.classify(app)).toMatchObject({ verdict, status });
    },
  );
});

test('an app of which only the name is known is not called clean', () => {
  expect(detector.classify({ type: 'app', packageName: 'org.example.torch' })).toMatchObject({
    status: 'unsupported',
    verdict: 'warn',
  });
});

test('a tool for remote control counts more when a chat contact sends it', () => {
  const tool: Indicator = {
    type: 'domain',
    value: 'remote-help.example.com',
    source: 'list',
    category: 'remote_control',
    threatType: 'remote_access_tool',
    confidence: 1,
    dualUse: true,
  };
  const index = createIndicatorIndex([tool]);
  const knowing = createDetector({ models, indicators: () => index });
  const text = 'the notes of the talk are at remote-help.example.com';
  const judge = (channel: 'chat' | 'email') => knowing.classify({ type: 'text', text, context: { channel } });
  expect(judge('chat')).toMatchObject({ verdict: 'warn', category: 'remote_control' });
  expect(judge('email')).toMatchObject({ verdict: 'allow' });
});
