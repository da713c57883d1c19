import { isUnspaced, LETTERS_OF_WORD, separateLetters } from '../normalize/unspaced-script.ts';

/** The words of a normalized text in order, and where its sentences and clauses end. */
export interface ReadWords {
  /** Links, sums and long numbers are `<link>`, `<money>` and `<phone>`; each letter of a script without spaces is a word. */
  readonly words: readonly string[];
  /** How many words the text has. Three letters of a script without spaces count as one. */
  readonly count: number;
  /** The number of the sentence of each word. */
  readonly sentences: readonly number[];
  /** The number of the clause of each word: commas and colons separate clauses of one sentence. */
  readonly clauses: readonly number[];
}

// Each alternative is bounded, or cannot fail after it has matched: the whole is linear.
const TOKEN =
  /<link>|[$\u00a3\u00a5\u20a9\u20ab\u20ac\u20b1\u20b9\u20ba\u20bd] ?\d[\d.,]*|\d{1,9}(?:[.,]\d{1,3}){0,3} ?(?:\u20ac|eur\b|euros?\b|usd\b|gbp\b|dollars?\b|pounds?\b)|\+?\d(?:[ ().-]{0,2}\d){6,14}|[\p{L}\p{M}\p{N}]+|[.!?;]+(?=\s|$|[^\p{ASCII}])|[\u3002\u0964\u061f\u061b]+|[,:\u2013\u2014\u060c\u3001]|- /gu;

const ENDS_OF_SENTENCE = '.!?;\u3002\u0964\u061f\u061b';
const ENDS_OF_CLAUSE = ',:-\u2013\u2014\u060c\u3001';
const SIGNS_OF_MONEY = '$\u00a3\u00a5\u20a9\u20ab\u20ac\u20b1\u20b9\u20ba\u20bd';

/** Reads the words of a normalized text for cues. */
export function readWords(text: string): ReadWords {
  const words: string[] = [];
  const sentences: number[] = [];
  const clauses: number[] = [];
  let sentence = 0;
  let clause = 0;
  let letters = 0;
  const add = (word: string) => {
    words.push(word);
    if (isUnspaced(word.charCodeAt(0))) letters += 1;
    sentences.push(sentence);
    clauses.push(clause);
  };
  for (const token of text.match(TOKEN) ?? []) {
    const word = toWord(token);
    if (word === undefined) {
      clause += 1;
      if (ENDS_OF_SENTENCE.includes(token.charAt(0))) sentence += 1;
    } else separateLetters(word, add);
  }
  const count = words.length - letters + Math.ceil(letters / LETTERS_OF_WORD);
  return { words, count, sentences, clauses };
}

/**
 * Converts a distance in words to positions in `ReadWords.words`: three times as many next to a letter of a script
 * without spaces.
 */
export function placesOf(count: number, beside: string | undefined): number {
  return beside !== undefined && isUnspaced(beside.charCodeAt(0)) ? count * LETTERS_OF_WORD : count;
}

/** Returns undefined for a sign between clauses. */
function toWord(token: string): string | undefined {
  const first = token.charAt(0);
  if (ENDS_OF_SENTENCE.includes(first) || ENDS_OF_CLAUSE.includes(first)) return undefined;
  if (SIGNS_OF_MONEY.includes(first)) return '<money>';
  if (first !== '+' && (first < '0' || first > '9')) return token;
  if (
    /[\u20ac\p{L}]$/u.test(token) &&
    /^\d[\d.,]* ?(?:\u20ac|eur|euros?|usd|gbp|dollars?|pounds?)$/.test(token)
  )
    return '<money>';
  return token.replace(/\D/g, '').length >= 7 ? '<phone>' : token;
}
