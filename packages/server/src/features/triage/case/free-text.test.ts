import { redactText } from '@tps/detection';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutBeforeRedaction, FreeTexts } from './free-text.ts';

const MAX_TEXT_LENGTH = 200;

test('a long text is cut between plain words before it is redacted', () => {
  const cut = cutBeforeRedaction('please look at this page '.repeat(200), MAX_TEXT_LENGTH);
  expect(cut.length).toBeLessThanOrEqual(2 * MAX_TEXT_LENGTH);
  expect(cut.length).toBeGreaterThan(MAX_TEXT_LENGTH);
});

test('cutting never leaves a part of a text that would be redacted', () => {
  const secret = fc.constantFrom(
    'anna.berger@mail.example',
    '+49 30 90 18 20 77',
    'https://pay.example/x?u=7',
  );
  fc.assert(
    fc.property(secret, fc.nat(600), (written, before) => {
      const text = `${'ab cde '.repeat(100).slice(0, before)} ${written} ${'and so on '.repeat(60)}`;
      const shown = new FreeTexts().take('evt_1', text, MAX_TEXT_LENGTH);
      expect(shown).not.toMatch(/anna|berger|90 18|pay\.example/);
      expect(redactText(shown)).toBe(shown);
    }),
    { numRuns: 200 },
  );
});

test('a limited amount of text is redacted for each case, and the rest is counted as skipped', () => {
  const texts = new FreeTexts();
  const taken = Array.from({ length: 1000 }, (_, index) =>
    texts.takeOptional('evt_1', `${index} ${'Aa Bb '.repeat(680)}`, MAX_TEXT_LENGTH),
  );
  expect(taken.filter((text) => text !== null).length).toBeLessThan(10);
  expect(texts.skipped()).toBe(1000 - texts.shown());
  const same = new FreeTexts();
  for (let index = 0; index < 1000; index += 1)
    expect(same.takeOptional('evt_1', 'the same words '.repeat(20), MAX_TEXT_LENGTH)).not.toBeNull();
});
