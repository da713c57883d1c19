import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AUDIENCES, GUIDANCE_STEP_KINDS, idForm, LOCALES, THREAT_CATEGORIES } from '@tps/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadGuidance } from './load-guidance.ts';

const SHIPPED = fileURLToPath(new URL('../../../guidance', import.meta.url));
const cards = await loadGuidance();

describe('the shipped cards', () => {
  test('exist once per category, audience and locale, with unique ids', () => {
    const ids = THREAT_CATEGORIES.flatMap((category) =>
      AUDIENCES.flatMap((audience) => LOCALES.map((locale) => `gui_${category}-${audience}-${locale}`)),
    );
    expect(cards).toHaveLength(36);
    expect(cards.map(({ guidance_id }) => guidance_id)).toEqual(ids.sort().reverse());
    for (const { guidance_id } of cards) expect(guidance_id).toMatch(idForm('guidance'));
  });

  test.each(cards)('$guidance_id is short and complete', (card) => {
    const texts = [card.title, card.summary, ...card.steps.map(({ text }) => text)];
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(600);
      expect(text).not.toMatch(/todo|fixme|xxx|lorem|&[a-z]+;|\s{2}|[“"]\s*$|\*\*|`/i);
    }
    for (const { text } of card.steps) {
      expect(text.length).toBeLessThanOrEqual(400);
      expect(text, 'a step is a whole sentence').toMatch(/^\p{Lu}.*[.?!”“"]$/u);
    }
    expect(new Set(texts).size, 'no text occurs twice').toBe(texts.length);
    // Short enough for a frightened person to read on a phone.
    if (card.audience === 'user') expect(texts.join('').length).toBeLessThanOrEqual(2_500);
  });

  test('have the same number of steps of each kind and the same severity in both languages', () => {
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

  test('contain no phone numbers except known public ones', () => {
    const known = ['110', '112', '911', '159', '116 116', '7726'];
    for (const { guidance_id, steps } of cards) {
      const numbers = steps.flatMap(({ text }) => text.match(/\+?\d[\d ()/-]*\d/g) ?? []);
      const others = numbers.filter((number) => number.length >= 3 && !known.includes(number.trim()));
      expect(others, guidance_id).toEqual([]);
    }
  });

  test('are frozen', () => {
    const [card] = cards;
    for (const value of [cards, card, card?.steps, card?.steps[0], card?.references, card?.references[0]]) {
      expect(Object.isFrozen(value)).toBe(true);
    }
  });
});

describe('a folder of cards', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guidance-'));
    cpSync(SHIPPED, folder, { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const path = (name: string) => join(folder, name);
  const edit = (name: string, from: string, to: string) =>
    writeFileSync(path(name), readFileSync(path(name), 'utf8').replace(from, to));

  test('is accepted if it contains the shipped cards', async () => {
    expect(await loadGuidance(folder)).toEqual(cards);
  });

  test('is rejected if a card is missing', async () => {
    rmSync(path('de/phishing-admin.md'));
    await expect(loadGuidance(folder)).rejects.toThrow('de/phishing-admin.md: the card is missing');
  });

  test('is rejected if it contains another file', async () => {
    writeFileSync(path('de/phishing-boss.md'), 'x');
    writeFileSync(path('notes.txt'), 'x');
    await expect(loadGuidance(folder)).rejects.toThrow(
      /de\/phishing-boss\.md: the file name does not belong to a card/,
    );
    await expect(loadGuidance(folder)).rejects.toThrow(/notes\.txt: the file name does not belong to a card/);
  });

  test('is rejected if two cards have the same subject', async () => {
    cpSync(path('en/phishing-user.md'), path('en/deepfake-user.md'));
    await expect(loadGuidance(folder)).rejects.toThrow(
      'en/deepfake-user.md: the front matter belongs to en/phishing-user.md',
    );
  });

  test('is rejected if a file is too large to be a card', async () => {
    // Three gigabytes, without using disk space: more than Node can read.
    truncateSync(path('en/phishing-user.md'), 3 * 1024 ** 3);
    await expect(loadGuidance(folder)).rejects.toThrow('en/phishing-user.md: the file is larger than');
  });

  test('is rejected with all its problems at once', async () => {
    rmSync(path('de/phishing-admin.md'));
    edit('en/deepfake-user.md', 'severity_min: low', 'severity_min: tiny');
    edit('de/deepfake-user.md', '## Kontakt', '## Contact');
    edit('en/phone_scam-user.md', 'url: https:', 'url: http:');
    const error: unknown = await loadGuidance(folder).catch((reason: unknown) => reason);
    const lines = String(error).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('Error: The guidance cards are invalid:');
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
