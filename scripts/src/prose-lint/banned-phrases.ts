/** A character that stands for code in masked text: it is not part of a word and ends a phrase. */
export const CODE = '\0';
/** Stands for inline code in prose: ends a phrase, but not a sentence. */
export const INLINE_CODE = '\u0001';
/** Stands directly before the text of a doc comment. */
export const DOC_COMMENT = '\u0002';

export type PhrasePattern = { phrase: string; instead: string; pattern: RegExp };
export type PhraseMatch = { offset: number; phrase: string; instead: string };

const SECTION = /^## Words to avoid$(?<section>[\s\S]*?)(?=^## |$(?![\s\S]))/m;

const SENTENCE_START = `(?<=(?:^|[.!?][)"”’]?\\s|[${CODE}${DOC_COMMENT}|#>]|\\n\\s*\\n|(?:^|\\n)\\s*(?:[-*]|\\d+\\.)\\s)[\\s"“(*_]*)`;

/** What the column "Only" may hold, and what it puts around the pattern of a phrase. */
const CONDITIONS: Record<string, { before: string; after: string; flags: string }> = {
  '': { before: '', after: '', flags: 'gi' },
  'at the start of a sentence': { before: SENTENCE_START, after: '', flags: 'g' },
  'at the start of a doc comment': { before: `(?<=${DOC_COMMENT}\\s*)`, after: '', flags: 'g' },
  'unless after "there" or before "longer"': {
    before: '(?<!\\bthere\\s+)',
    after: '(?!\\s+longer\\b)',
    flags: 'gi',
  },
};

/** Reads the table of contributing/writing.md. Throws when a row has another form than the page explains. */
export function parseBannedPhrases(page: string): PhrasePattern[] {
  const rows = (SECTION.exec(page)?.groups?.section ?? '').split('\n').filter((line) => line.startsWith('|'));
  const phrases = rows.slice(2).flatMap(parseRow);
  if (phrases.length === 0) throw new Error('contributing/writing.md has no table under "Words to avoid"');
  return phrases;
}

function parseRow(row: string): PhrasePattern[] {
  const [avoid = '', instead = '', only = ''] = row
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  const phrases = [...avoid.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase);
  const condition = CONDITIONS[only];
  if (phrases.length === 0)
    throw new Error(`no phrase in code marks in this row of contributing/writing.md: ${row}`);
  if (!condition)
    throw new Error(`unknown condition "${only}" in this row of contributing/writing.md: ${row}`);
  return phrases.map((phrase) => ({
    phrase,
    instead,
    pattern: new RegExp(`${condition.before}\\b${toPattern(phrase)}\\b${condition.after}`, condition.flags),
  }));
}

function toPattern(phrase: string): string {
  return phrase.replaceAll(' … ', ` (?:[\\w'’-]+,? ){1,3}?`).replaceAll(' ', '\\s+');
}

/** Finds banned phrases in masked text, in the order in which they stand. */
export function findBannedPhrases(text: string, phrases: readonly PhrasePattern[]): PhraseMatch[] {
  return phrases
    .flatMap(({ phrase, instead, pattern }) =>
      [...text.matchAll(pattern)].map(({ index }) => ({ offset: index, phrase, instead })),
    )
    .sort((a, b) => a.offset - b.offset);
}
