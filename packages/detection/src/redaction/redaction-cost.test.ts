import { repetitions } from '@tps/testing/soak';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactEvent } from './redact-event.ts';
import { redactAddresses, redactText } from './redact-text.ts';

/** Fragments that some rule reads further than one character, or that it reads again from the next one. */
const FRAGMENTS = [
  ...['a', 'A', '1', '0', '+', ' ', '.', ':', '@', '%', '-', '_', '/', "'", '"', '\\', '\n', '\u00a0'],
  ...['(', ')', '[', ']', '{', '<', ',', ';', '#', '?', '~', '|', '&', '='],
  ...['é', 'É', '\u0301', 'Ω', 'я', 'ı', '中', '。', '１', '٠', 'Ａ', '①', '𝒿', '\u200b', '\u00ad', '\ud835'],
  ...['12', '123', '1234', '00', '011', '0151', '(0)', '(555)', '+49', '+1', '1.1', '1.2.3.4', '/24', '20%'],
  ...['::', '::1', 'fe80:', 'a:', '1:2:3:4:5:6:7:8', '%eth0', 'ffff:1.2.3.4'],
  ...['http://', '://', 'www.', '.com', '.co.uk', 'a.b', '//', ':80', ',https://', 'xn--', '//a'],
  ...['a@', '@b.co', '"@', '@[1', '@[IPv6:', '\\"@', '[at]', '[.]', '%40', '(dot)', '[://]'],
  ...[
    'Mr. ',
    'Herr ',
    'Dr. ',
    'Anna ',
    'Jean-',
    'von ',
    'Wang ',
    'Xyz ',
    'Mark ',
    'from ',
    'my name is ',
    "'s",
  ],
  ...['Tel. ', 'call ', '电话', 'ext. 5', 'x5', 'url:sha256:', `url:sha256:${'0a'.repeat(32)}`, '[email]'],
  ...[
    'DE44',
    'passport ',
    'plate ',
    'born ',
    'card ',
    '4539 5260 1815 9083',
    '4 ',
    '44 ',
    'a1 ',
    'B-MW 1',
    'Hauptstr. 5',
  ],
  ...[
    'C/ A 1',
    '1 rue de la ',
    '5 Baker Street',
    'Via ',
    '0a:',
    '0a-',
    '/home/',
    '\\Users\\a ',
    'bc1q',
    '17.05.1980',
    '\u0336',
  ],
  ...[
    'v',
    'version ',
    'A.',
    "d'A",
    'GmbH ',
    '&nbsp;',
    '&#49;',
    '&amp;amp;',
    '\t',
    '\r\n',
    '*',
    '0151_',
    '+49|',
  ],
];
const unit = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));
/** A prefix and an end can make a rule read all between them without a result. */
const shape = fc.record({
  before: fc.oneof(fc.constant(''), unit),
  unit,
  after: fc.oneof(fc.constant(''), unit),
});
type Shape = { before: string; unit: string; after: string };

const SHORT = 4_000;
/**
 * The long text is as long as eight short ones, so quadratic work on it takes 8 times as long. The test reads the short one
 * eight times, because processor time is counted in ticks of some milliseconds.
 */
const GROWTH = 8;
const MAX_GROWTH = 3;
/** Work below this is noise: an accidental pause is longer. Linear work on the long text takes some 5 ms. */
const MIN_TELLING_MICROS = 40_000;
const ATTEMPTS = 4;

const SURFACES = [
  ['redactText', redactText],
  ['redactAddresses', redactAddresses],
  [
    'redactEvent with many values',
    (text: string) => redactEvent({ metadata: { values: text.match(/.{1,12}/gsu) } }),
  ],
] as const;

/** A description that a device sends; nothing in it is redacted. */
const PLAIN =
  'The app requested the accessibility permission and drew an overlay above the banking screen while a call was active. ';
/**
 * The most expensive text that the search has found costs 88 times as much as a description of the same length, that is
 * 1.4 µs per character: digits behind a word for number plates. Beside other work on the same core it was 154 times. A rule
 * that reads on from each character costs thousands of times as much in a text of this length.
 */
const MAX_RATIO = 300;
const PLAIN_LENGTH = 2_000_000;
const HOSTILE_LENGTH = 60_000;

describe('the cost of redaction', () => {
  it('per character is bounded by that of a description, for any repeated text', () => {
    const plain = PLAIN.repeat(PLAIN_LENGTH / PLAIN.length);
    const plainMicros = Math.min(...[1, 2, 3].map(() => cpuMicros(() => redactText(plain)))) / plain.length;
    const isBounded = (of: Shape): void => {
      const text = textOf(of, HOSTILE_LENGTH);
      let ratio = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS && ratio > MAX_RATIO; attempt += 1) {
        ratio = Math.min(ratio, cpuMicros(() => redactText(text)) / text.length / plainMicros);
      }
      expect(ratio).toBeLessThan(MAX_RATIO);
    };
    fc.assert(fc.property(shape, isBounded), {
      numRuns: repetitions({ short: 40, soak: 120 }),
      examples: [
        '::1 ',
        '1 ',
        'É ',
        '1.1 ',
        '(1)',
        'a.co/ ',
        'Tel. 1234567 ',
        '00123 ',
        '0123456789012345 ',
        '4 ',
        '44 ',
        'C/ A 1 ',
        'A B 1 ',
        '1 a b c d ',
        '4\u0332',
        '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN3 ',
        '+494539 5260 1815 9083.co.ukx5',
        '&nbsp;',
        '&#49;',
        '+49|151|',
        '0151\n',
        '1_2_',
        'A_1|',
      ].map((repeated): [Shape] => [{ before: '', unit: repeated, after: '' }]),
    });
  });

  it.each(SURFACES)('of %s grows with the length of the text, for any repeated text', (_name, redact) => {
    const isLinear = (of: Shape): void => {
      const [short, long] = [textOf(of, SHORT), textOf(of, SHORT * GROWTH)];
      let growth = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS && growth > MAX_GROWTH; attempt += 1) {
        const longMicros = cpuMicros(() => redact(long));
        if (longMicros < MIN_TELLING_MICROS) return;
        growth = Math.min(growth, longMicros / cpuMicros(() => repeat(GROWTH, () => redact(short))));
      }
      expect(growth).toBeLessThan(MAX_GROWTH);
    };
    const examples: [Shape][] = [[{ before: '', unit: 'abcd]]]]]]1 ', after: '' }]];
    fc.assert(fc.property(shape, isLinear), { numRuns: repetitions({ short: 40, soak: 250 }), examples });
  });
});

function textOf({ before, unit: repeated, after }: Shape, length: number): string {
  return before + repeated.repeat(Math.ceil(length / repeated.length)) + after;
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time += 1) work();
}

/** CPU time of this thread, so that other work does not count; of the process before Node 23.9. */
function cpuMicros(work: () => unknown): number {
  const usage = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process);
  const before = usage();
  work();
  const { user, system } = usage(before);
  return user + system;
}
