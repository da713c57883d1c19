import { type FoldedText, foldText } from './fold-text.ts';

/**
 * Ways to defang a URL that replace more than single characters. Each matches a bounded range, so all are
 * linear.
 */
const DISARMED: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /\b(?:h(?:xx|\*\*|\+\+|__)p|(http))(s?) ?\[?: ?\]? ?[/\\] ?[/\\] ?/gi,
    ([, scheme = 'http', secure = '']) => `${scheme}${secure}://`,
  ],
  [/ ?[[({<] ?(?:\.|dot|punkt|punto) ?[\])}>] ?/gi, () => '.'],
  [/(?<=[a-z0-9]) ?\\\. ?(?=[a-z0-9])/gi, () => '.'],
  [/(?<=[a-z0-9])(?: dot | \. ?| ?\. )(?=(?:com|net|org|info|biz|xyz|top|co\.uk)(?:\/|\s|$))/gi, () => '.'],
];
const MAY_BE_DISARMED =
  /h(?:xx|\*\*|\+\+|__)p|https?(?::(?!\/\/\S)| :| ?\[)|[[({<] ?(?:\.|dot|pun[kt]t?o?)|\\\.|(?: dot| \.|\.) ?(?<= )(?:com|net|org|info|biz|xyz|top|co\.uk)| \.(?:com|net|org|info|biz|xyz|top|co\.uk)/i;
/** A sentence may begin with "Com", so a blank on one side joins only lower-case text. */
const SENTENCE = /\. (?:com|net|org|info|biz|xyz|top)/i;

/** Restores a defanged URL (`hxxp`, `[.]`, `{dot}`, ` dot com`) and keeps the mapping to the original. */
export function refang(text: string): FoldedText {
  const folded = foldText(text);
  if (!MAY_BE_DISARMED.test(folded.text)) return folded;
  return DISARMED.reduce((reading, [pattern, by]) => replaceIn(reading, pattern, by), folded);
}

function replaceIn(folded: FoldedText, pattern: RegExp, by: (match: RegExpExecArray) => string): FoldedText {
  // A URL is never longer than its defanged form.
  const starts = new Uint32Array(folded.text.length);
  const ends = new Uint32Array(folded.text.length);
  let text = '';
  let position = 0;
  const keep = (to: number): void => {
    const length = text.length;
    for (let index = position; index < to; index += 1) {
      starts[length + index - position] = folded.origin?.starts[index] ?? index;
      ends[length + index - position] = folded.origin?.ends[index] ?? index + 1;
    }
    text += folded.text.slice(position, to);
  };
  for (const match of folded.text.matchAll(pattern)) {
    const [written] = match;
    if (isEndOfSentence(folded.text, match.index, written)) continue;
    const read = by(match);
    if (read === written) continue;
    keep(match.index);
    position = match.index + written.length;
    starts.fill(folded.origin?.starts[match.index] ?? match.index, text.length, text.length + read.length);
    ends.fill(folded.origin?.ends[position - 1] ?? position, text.length, text.length + read.length);
    text += read;
  }
  if (position === 0) return folded;
  keep(folded.text.length);
  return { text, origin: { starts: starts.subarray(0, text.length), ends: ends.subarray(0, text.length) } };
}

function isEndOfSentence(text: string, start: number, written: string): boolean {
  return written === '. ' && SENTENCE.test(text.slice(start, start + 6)) && text.charAt(start + 2) < 'a';
}
