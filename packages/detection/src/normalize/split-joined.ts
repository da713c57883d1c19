import { COMMON_WORDS } from './common-words.ts';
import { DISGUISED_WORDS } from './disguised-words.ts';

const WORDS: ReadonlySet<string> = new Set([...COMMON_WORDS, ...DISGUISED_WORDS]);
const MAX_WORD_LENGTH = 15;
/** Not a part of a mail address, a handle, a tag or a link. A match begins only at the start of a run, so it takes linear time. */
const RUN = /(?<![a-z0-9@#._/=&-])[a-z]{12,}(?![a-z0-9@/=]|[.-][a-z0-9])/gi;
const MAY_BE_JOINED = /[a-z]{12}/i;
/** Long words, and words of other languages, consist of two short English words by chance. */
const MIN_WORDS = 3;
/** With this many, a part of the run may be unknown, such as a name. */
const MIN_WORDS_AROUND = 5;
const MIN_COVERED = 0.75;
const MIN_MEAN_LENGTH = 3.4;
/** Letters that are looked at in one text, each as the start of at most fifteen words. */
const MAX_LETTERS = 4000;
/** A long word counts more than the short ones inside it. */
const COST_OF_WORD = 3;
const COST_OF_UNKNOWN = 2;
/** Words that three common words happen to make up, without inflected and rare ones. */
const WHOLE = new Set(
  (
    'nevertheless nonetheless notwithstanding hereinafter understandable newfoundland chairmanship salesmanship ' +
    'partisanship superhighway newspaperman newspaperwoman interminable nonrefillable nonrenewable nonreturnable ' +
    'nontransferable nonbreakable'
  ).split(' '),
);
/** Not a part of a mail address, a handle, a link or the name of a file. */
const UNDERSCORED = /(?<![\w@#./\\-])[a-z]{2,}(?:_+[a-z]{2,})+(?![\w@/\\-]|\.[a-z])/gi;

/**
 * Separates words that are written without spaces, "verifyyouraccountnow", and those with underscores between
 * them. A run stays as it is unless common words make up most of it.
 */
export function splitJoined(text: string): string {
  const spaced = text.includes('_') ? text.replace(UNDERSCORED, (words) => words.replace(/_+/g, ' ')) : text;
  if (!MAY_BE_JOINED.test(spaced)) return spaced;
  let left = MAX_LETTERS;
  return spaced.replace(RUN, (run) => {
    if (run.length > left) return run;
    left -= run.length;
    return splitRun(run) ?? run;
  });
}

/** Finds the words with the highest score; letters outside of words count against it. */
function splitRun(run: string): string | undefined {
  const lower = run.toLowerCase();
  if (WORDS.has(lower) || WHOLE.has(lower)) return undefined;
  const scores = new Float64Array(lower.length + 1);
  // The length of the word that ends here; 0 for a letter outside of words.
  const lengths = new Uint8Array(lower.length + 1);
  for (let end = 1; end <= lower.length; end += 1) {
    scores[end] = (scores[end - 1] as number) - COST_OF_UNKNOWN;
    for (let length = 1; length <= Math.min(MAX_WORD_LENGTH, end); length += 1) {
      const score = (scores[end - length] as number) + length * length - COST_OF_WORD;
      if (score <= (scores[end] as number) || !WORDS.has(lower.slice(end - length, end))) continue;
      scores[end] = score;
      lengths[end] = length;
    }
  }
  return joinParts(run, lengths);
}

function joinParts(run: string, lengths: Uint8Array): string | undefined {
  const parts: string[] = [];
  let covered = 0;
  let words = 0;
  let unknownEnd = run.length;
  for (let end = run.length; end > 0; ) {
    const length = lengths[end] as number;
    if (length === 0) {
      end -= 1;
      continue;
    }
    if (end < unknownEnd) parts.push(run.slice(end, unknownEnd));
    parts.push(run.slice(end - length, end));
    covered += length;
    words += 1;
    end -= length;
    unknownEnd = end;
  }
  if (unknownEnd > 0) parts.push(run.slice(0, unknownEnd));
  const fewest = covered === run.length ? MIN_WORDS : MIN_WORDS_AROUND;
  const areWords =
    words >= fewest && covered >= run.length * MIN_COVERED && covered >= words * MIN_MEAN_LENGTH;
  return areWords ? parts.reverse().join(' ') : undefined;
}
