import { normalizeText } from '@tps/detection';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../rows/split.ts';
import { DISGUISES, pad } from './disguise-text.ts';

const LINK = 'https://example.com/login';
const TEXT = `Your account was suspended, please verify your password at ${LINK}`;

describe('DISGUISES', () => {
  it.each(Object.entries(DISGUISES))('%s change a text, but not its link', (name, disguise) => {
    const disguised = disguise(TEXT, createRandom(1));
    expect(disguised).not.toBe(TEXT);
    expect(disguised).toContain(name === 'spelt_links' ? 'example dot com slash login' : LINK);
  });

  it.each(['homoglyphs', 'invisible', 'spacing', 'joined', 'underscores', 'spelt_links'])(
    '%s are undone by normalization',
    (name) => {
      const disguised = DISGUISES[name]?.(TEXT, createRandom(1)) ?? '';
      expect(normalizeText(disguised).text.replaceAll(' ,', ',')).toBe(normalizeText(TEXT).text);
    },
  );
});

it('pads with at least the given number of words', () => {
  const padded = pad(TEXT, ['see you at lunch'], { random: createRandom(1), words: 100 });
  expect(padded.split(' ').length).toBeGreaterThanOrEqual(100 + TEXT.split(' ').length);
  expect(padded).toContain(TEXT);
});
