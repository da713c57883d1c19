import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AUDIENCES, GUIDANCE_STEP_KINDS, idForm, LOCALES, THREAT_CATEGORIES } from '@tps/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadGuidance } from './load-guidance.ts';

const SHIPPED = fileURLToPath(new URL('../../../guidance', import.meta.url));
const cards = loadGuidance();

describe('the cards that are shipped', () => {
  test('are one for each category, audience and locale, each with an id of its own', () => {
    const ids = THREAT_CATEGORIES.flatMap((category) =>
      AUDIENCES.flatMap((audience) => LOCALES.map((locale) => `gui_${category}-${audience}-${locale}`)),
    );
    expect(cards).toHaveLength(36);
    expect(cards.map(({ guidance_id }) => guidance_id)).toEqual(ids.sort().reverse());
    for (const { guidance_id } of cards) expect(guidance_id).toMatch(idForm('guidance'));
  });

  test.each(cards)('$guidance_id is short and holds nothing unfinished', (card) => {
    const texts = [card.title, card.summary, ...card.steps.map(({ text }) => text)];
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(600);
      expect(text).not.toMatch(/todo|fixme|xxx|lorem|&[a-z]+;|\s{2}|[“"]\s*$|\*\*|`/i);
    }
    for (const { text } of card.steps) {
      expect(text.length).toBeLessThanOrEqual(400);
      expect(text, 'a step is a whole sentence').toMatch(/^\p{Lu}.*[.?!”“"]$/u);
    }
    expect(new Set(texts).size, 'nothing is said twice').toBe(texts.length);
    // What somebody who is frightened can read on a phone.
    if (card.audience === 'user') expect(texts.join('').length).toBeLessThanOrEqual(2_500);
  });

  test('say the same in both languages: as many steps of each kind, for the same severity', () => {
    const shapeOf = (id: string) => {
      const card = cards.find(({ guidance_id }) => guidance_id === id);
      const counts = GUIDANCE_STEP_KINDS.map(
        (kind) => card?.steps.filter((step) => step.kind === kind).length,
      );
      return { counts, severity: card?.severity_min, version: card?.version };
    };
    for (const { guidance_id } of cards) {
      const [german, english] = LOCALES.toReversed().map((locale) => guidance_id.replace(/(en|de)$/, locale));
      expect(shapeOf(german ?? ''), guidance_id).toEqual(shapeOf(english ?? ''));
    }
  });

  test('name no telephone number but those that are known to be public', () => {
    const known = ['110', '112', '911', '159', '116 116', '7726'];
    for (const { guidance_id, steps } of cards) {
      const numbers = steps.flatMap(({ text }) => text.match(/\+?\d[\d ()/-]*\d/g) ?? []);
      const others = numbers.filter((number) => number.length >= 3 && !known.includes(number.trim()));
      expect(others, guidance_id).toEqual([]);
    }
  });

  test('cannot be changed by whoever reads them', () => {
    const [card] = cards;
    for (const value of [cards, card, card?.steps, card?.steps[0], card?.references, card?.references[0]]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});

describe('a folder of cards is refused', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guidance-'));
    cpSync(SHIPPED, folder, { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (name: string) => join(folder, name);
  const edit = (name: string, from: string, to: string) =>
    writeFileSync(path(name), readFileSync(path(name), 'utf8').replace(from, to));

  test('never when it is that of the shipped cards', () => {
    expect(loadGuidance(folder)).toEqual(cards);
  });

  test('when a card is missing', () => {
    rmSync(path('de/phishing-admin.md'));
    expect(() => loadGuidance(folder)).toThrow('de/phishing-admin.md: the card is missing');
  });

  test('when a file has no place', () => {
    writeFileSync(path('de/phishing-boss.md'), 'x');
    writeFileSync(path('notes.txt'), 'x');
    expect(() => loadGuidance(folder)).toThrow(/de\/phishing-boss\.md: not the name of a card/);
    expect(() => loadGuidance(folder)).toThrow(/notes\.txt: not the name of a card/);
  });

  test('when two cards say that they are the same one', () => {
    cpSync(path('en/phishing-user.md'), path('en/deepfake-user.md'));
    expect(() => loadGuidance(folder)).toThrow(
      'en/deepfake-user.md: the front matter is that of en/phishing-user.md',
    );
  });

  test('when a file is too large to be a card', () => {
    // Three gigabytes of nothing: not even Node would read them.
    truncateSync(path('en/phishing-user.md'), 3 * 1024 ** 3);
    expect(() => loadGuidance(folder)).toThrow('en/phishing-user.md: the file is larger than');
  });

  test('with all that is wrong in it at once', () => {
    rmSync(path('de/phishing-admin.md'));
    edit('en/deepfake-user.md', 'severity_min: low', 'severity_min: tiny');
    edit('de/deepfake-user.md', '## Kontakt', '## Contact');
    edit('en/phone_scam-user.md', 'url: https:', 'url: http:');
    const refusal = (): string => {
      try {
        loadGuidance(folder);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const lines = refusal().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('the guidance cards are not complete:');
    expect(lines.slice(1).map((line) => line.split(':')[0])).toEqual(
      expect.arrayContaining([
        'de/phishing-admin.md',
        'en/deepfake-user.md',
        'de/deepfake-user.md',
        'en/phone_scam-user.md',
      ]),
    );
  });
});
