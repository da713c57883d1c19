import { REDACTION_MARKS } from '@tps/contract/vocabulary';

const IN_BRACKETS = Object.keys(REDACTION_MARKS).map((mark) => mark.slice(1, -1));
/** The marks that redaction leaves: see docs/redaction.md. A link becomes the hash of its canonical form. */
const MARKS = new RegExp(`\\[(?:${IN_BRACKETS.join('|')})\\]|url:sha256:[0-9a-f]{64}`, 'g');

interface TextPart {
  readonly part: string;
  /** Where it begins. */
  readonly at: number;
  /** What is shown in its place: only for a mark. */
  readonly words?: string;
}

/** Splits a text before and after each mark. */
export function splitAtMarks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(MARKS)) {
    if (index > end) parts.push({ part: text.slice(end, index), at: end });
    parts.push({ part: mark, at: index, words: wordsOf(mark) });
    end = index + mark.length;
  }
  if (end < text.length) parts.push({ part: text.slice(end), at: end });
  return parts;
}

function wordsOf(mark: string): string {
  return mark.startsWith('[') ? mark.slice(1, -1) : `link ${mark.slice(11, 19)}…`;
}
