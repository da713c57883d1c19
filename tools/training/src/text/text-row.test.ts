import { describe, expect, it } from 'vitest';
import { isTextForTesting } from './text-row.ts';

const rows = (source: string) =>
  Array.from({ length: 400 }, (_, at) => ({
    kind: 'text' as const,
    source,
    content: `message ${String.fromCharCode(97 + (at % 26))}${'xyz'.repeat(at)}`,
  }));
const shareForTesting = (source: string) => rows(source).filter(isTextForTesting).length / 400;

describe('isTextForTesting', () => {
  it.each(['smishtank', 'robocall(ScamDataset)', 'taskmaster4', 'an unknown source'])(
    'keeps all rows of %s',
    (source) => {
      expect(shareForTesting(source)).toBe(1);
    },
  );

  it('keeps three of ten rows of uci', () => {
    expect(shareForTesting('uci')).toBeGreaterThan(0.2);
    expect(shareForTesting('uci')).toBeLessThan(0.4);
  });

  it('decides by the text, without its digits and punctuation', () => {
    const [row] = rows('uci');
    if (!row) throw new Error('no row');
    expect(isTextForTesting({ ...row, content: `${row.content} 123!` })).toBe(isTextForTesting(row));
  });
});
