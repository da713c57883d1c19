import { toNameKey } from '../../lexicon/name-key.ts';
import { isIdeographic, isLetter } from '../../normalize/characters.ts';
import { PLACEHOLDERS } from '../placeholder.ts';
import { cueOf, cueOfEnding } from './cue-words.ts';

/** A cue is at most this far before the number. */
const REACH = 56;
const MAX_WORDS = 6;
const MAX_WORD_LENGTH = 32;
/** A full stop after a longer word ends a sentence; shorter ones are abbreviations: `no.`, `geb.`, `ur.`. */
const MAX_ABBREVIATION_LENGTH = 5;

const MAX_PLACEHOLDER_LENGTH = 13;

const DOT = 0x2e;
const SPACE = 0x20;
const SENTENCE_ENDS = '!?;|';

/** What the words before a number say about it. */
export type Context = {
  /** The bits of `cue-words.ts`. */
  readonly cues: number;
  /** Where the last word with a cue ends. */
  readonly end: number;
};

export const NO_CONTEXT: Context = { cues: 0, end: 0 };

/** Reads the words between `from` and `position`, the end of an earlier number and the start of one. */
export function contextBefore(text: string, from: number, position: number): Context {
  const start = Math.max(from, position - REACH);
  let cues = 0;
  let last = 0;
  let initials = '';
  let next = '';
  let at = position;
  for (let words = 0; words < MAX_WORDS; words += 1) {
    const end = wordEndBefore(text, start, at);
    if (end === undefined) break;
    at = wordStartBefore(text, start, end);
    if (endsSentence(text, end, end - at)) break;
    const word = toNameKey(text.slice(Math.max(at, end - MAX_WORD_LENGTH), end));
    initials = word.length === 1 ? word + initials : '';
    const cue = isIdeographic(text.charCodeAt(end - 1))
      ? cueOfEnding(word)
      : cueOf(word, next) | cueOf(initials, '');
    if (cues === 0) last = end;
    cues |= cue;
    next = word;
  }
  return cues === 0 ? NO_CONTEXT : { cues, end: last };
}

function wordStartBefore(text: string, from: number, end: number): number {
  let start = end;
  while (start > from && isLetter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function wordEndBefore(text: string, start: number, at: number): number | undefined {
  let end = at;
  while (end > start && !isLetter(text.charCodeAt(end - 1))) {
    if (SENTENCE_ENDS.includes(text.charAt(end - 1)) || endsPlaceholder(text, end)) return undefined;
    end -= 1;
  }
  return end > start ? end : undefined;
}

function endsSentence(text: string, end: number, length: number): boolean {
  return (
    length > MAX_ABBREVIATION_LENGTH && text.charCodeAt(end) === DOT && text.charCodeAt(end + 1) === SPACE
  );
}

/** A placeholder ends the context, since the text before it was the context of what it replaces. */
function endsPlaceholder(text: string, end: number): boolean {
  if (text.charAt(end - 1) !== ']') return false;
  const ahead = text.slice(Math.max(0, end - MAX_PLACEHOLDER_LENGTH), end);
  return PLACEHOLDERS.has(ahead.slice(ahead.lastIndexOf('[')));
}
