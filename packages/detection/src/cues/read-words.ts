/** The words of a normalized text in order, and where its sentences and clauses end. */
export interface ReadWords {
  /** Links, sums and long numbers are `<link>`, `<money>` and `<phone>`. */
  readonly words: readonly string[];
  /** The number of the sentence of each word. */
  readonly sentences: readonly number[];
  /** The number of the clause of each word: commas and colons separate clauses of one sentence. */
  readonly clauses: readonly number[];
}

// Each alternative is bounded, or cannot fail after it has matched: the whole is linear.
const TOKEN =
  /<link>|[$\u00a3\u20ac\u20b9] ?\d[\d.,]*|\d{1,9}(?:[.,]\d{1,3}){0,3} ?(?:\u20ac|eur\b|euros?\b|usd\b|gbp\b|dollars?\b|pounds?\b)|\+?\d(?:[ ().-]{0,2}\d){6,14}|[\p{L}\p{N}]+|[.!?;]+(?=\s|$)|[,:\u2013\u2014]|- /gu;

/** Reads the words of a normalized text for cues. */
export function readWords(text: string): ReadWords {
  const words: string[] = [];
  const sentences: number[] = [];
  const clauses: number[] = [];
  let sentence = 0;
  let clause = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    const word = toWord(token);
    if (word === undefined) {
      clause += 1;
      if ('.!?;'.includes(token.charAt(0))) sentence += 1;
      continue;
    }
    words.push(word);
    sentences.push(sentence);
    clauses.push(clause);
  }
  return { words, sentences, clauses };
}

/** Returns undefined for a sign between clauses. */
function toWord(token: string): string | undefined {
  const first = token.charAt(0);
  if ('.!?;,:-\u2013\u2014'.includes(first)) return undefined;
  if ('$\u00a3\u20ac\u20b9'.includes(first)) return '<money>';
  if (first !== '+' && (first < '0' || first > '9')) return token;
  if (
    /[\u20ac\p{L}]$/u.test(token) &&
    /^\d[\d.,]* ?(?:\u20ac|eur|euros?|usd|gbp|dollars?|pounds?)$/.test(token)
  )
    return '<money>';
  return token.replace(/\D/g, '').length >= 7 ? '<phone>' : token;
}
