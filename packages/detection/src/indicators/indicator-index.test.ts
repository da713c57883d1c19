import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Indicator } from './indicator.ts';
import { buildIndicatorIndex, createIndicatorIndex } from './indicator-index.ts';
import { keyOf, keysOfUrl } from './keys.ts';

function indicator(value: string, parts: Partial<Indicator> = {}): Indicator {
  const common = { source: 'test-list', category: 'phishing', threatType: 'known_indicator' } as const;
  return { type: 'domain', value, confidence: 0.9, ...common, ...parts };
}

test('every indicator is found as it was added, and nothing else is', () => {
  const all = Array.from({ length: 5000 }, (_, at) =>
    indicator(`evil-${at}.example`, at % 2 === 0 ? { label: `Campaign ${at % 7}` } : {}),
  );
  const index = createIndicatorIndex(all);
  expect(index.size).toBe(5000);
  for (const each of all) {
    const key = keyOf('domain', each.value);
    expect(index.find([key], 0)).toEqual([{ key, indicator: each }]);
  }
  const strangers = Array.from({ length: 5000 }, (_, at) => keyOf('domain', `good-${at}.example`));
  expect(index.find(strangers, 0)).toEqual([]);
});

test('other work runs while a large index is built, and it finds the same', async () => {
  const all = Array.from({ length: 20_000 }, (_, at) =>
    indicator(at % 2 === 0 ? `evil-${at}.example` : hash('sha256', `${at}`, 'hex'), {
      type: at % 2 === 0 ? 'domain' : 'sha256',
    }),
  );
  let turns = 0;
  const count = () => {
    turns += 1;
    others = setImmediate(count);
  };
  let others = setImmediate(count);
  const index = await buildIndicatorIndex(all);
  clearImmediate(others);
  // After every 5,000: while they are read, hashed and sorted.
  expect(turns).toBeGreaterThanOrEqual(12);
  expect(index.size).toBe(20_000);
  const keys = all.slice(-6).map(({ type, value }) => keyOf(type, value));
  expect(index.find(keys, 0)).toEqual(createIndicatorIndex(all).find(keys, 0));
  expect(index.find(keys, 0)).toHaveLength(6);
});

test('an equal prefix of four bytes is not a match', () => {
  const index = createIndicatorIndex([indicator('evil.example')]);
  const { digest } = keyOf('domain', 'evil.example');
  const last = digest.endsWith('0') ? '1' : '0';
  expect(index.find([{ type: 'domain', digest: digest.slice(0, 63) + last }], 0)).toEqual([]);
  expect(index.find([{ type: 'domain', digest: digest.slice(0, 8) + '0'.repeat(56) }], 0)).toEqual([]);
});

test('indicators whose digests have the same prefix are distinguished', () => {
  const seen = new Map<number, string>();
  let alike: readonly [string, string] | undefined;
  for (let number = 0; alike === undefined; number += 1) {
    const value = `n${number}.example`;
    const prefix = hash('sha256', value, 'buffer').readUInt32BE(0);
    const known = seen.get(prefix);
    if (known !== undefined) alike = [known, value];
    seen.set(prefix, value);
  }
  const index = createIndicatorIndex(alike.map((value) => indicator(value)));
  for (const value of alike) {
    expect(index.find([keyOf('domain', value)], 0).map((match) => match.indicator.value)).toEqual([value]);
  }
});

test('an indicator is valid from its start up to its end', () => {
  const index = createIndicatorIndex([indicator('evil.example', { validFromMs: 10, validUntilMs: 20 })]);
  const isFound = (nowMs: number) => index.find([keyOf('domain', 'evil.example')], nowMs).length === 1;
  expect([9, 10, 19, 20].map(isFound)).toEqual([false, true, true, false]);
});

test('a value of several sources is found once for each, only under its type', () => {
  const hashed = 'a'.repeat(64);
  const index = createIndicatorIndex([
    indicator('evil.example'),
    indicator('evil.example', { source: 'other-list' }),
    indicator(hashed, { type: 'sha256' }),
  ]);
  const sources = index
    .find(keysOfUrl('https://www.evil.example/a'), 0)
    .map((match) => match.indicator.source);
  expect(sources).toEqual(['test-list', 'other-list']);
  expect(index.find([keyOf('sha256', hashed), keyOf('certificate', hashed)], 0)).toHaveLength(1);
});

test('an invalid key finds nothing', () => {
  const index = createIndicatorIndex([indicator('evil.example')]);
  const { digest: known } = keyOf('domain', 'evil.example');
  for (const digest of ['', 'evil.example', 'g'.repeat(64), `${known}0`, known.slice(0, 63)]) {
    expect(index.find([{ type: 'domain', digest }], 0)).toEqual([]);
  }
  expect(createIndicatorIndex([]).find([keyOf('domain', 'evil.example')], 0)).toEqual([]);
});
