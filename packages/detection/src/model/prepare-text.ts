import { type Cues, findCues } from '../cues/find-cues.ts';
import { type ReadWords, readWords } from '../cues/read-words.ts';
import { tokenize } from '../features/text/tokenize.ts';
import type { NormalizedText } from '../normalize/normalize-text.ts';

/** A text read once, for the model and for the sentences about it. */
export interface PreparedText {
  readonly text: NormalizedText;
  /** The words of the model: numbers, sums and links are signs such as `<5>`. */
  readonly tokens: readonly string[];
  readonly words: ReadWords;
  readonly cues: Cues;
}

export function prepareText(text: NormalizedText): PreparedText {
  const words = readWords(text.text);
  return { text, tokens: tokenize(text.text), words, cues: findCues(words) };
}
