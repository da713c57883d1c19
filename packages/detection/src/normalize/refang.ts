import { type FoldedText, foldText } from './fold-text.ts';

/**
 * Ways to defang a URL that replace more than single characters. Each matches a bounded range, so all are
 * linear.
 */
const SPELT_TOP_LEVEL =
  'com|net|org|info|biz|xyz|top|shop|icu|vip|online|site|website|club|app|dev|io|de|fr|ru|cn|eu|co\\.uk|com\\.br';
/** The end of a name before a spelt dot. "The dot com slash" is prose. */
const LABEL =
  '(?<=[a-z0-9]{3})(?<!\\b(?:the|and|der|die|das|dem|den|ein|und|les|una|uno|het|een|this|that|your|with))';
const DISARMED: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /\b(?:h(?:xx|\*\*|\+\+|__)p|(http))(s?) ?\[?: ?\]? ?[/\\] ?[/\\] ?/gi,
    ([, scheme = 'http', secure = '']) => `${scheme}${secure}://`,
  ],
  [/ ?[[({<] ?(?:\.|dot|punkt|punto|point|ponto) ?[\])}>] ?/gi, () => '.'],
  // Half of the brackets, and the sign of a mail address.
  [/(?<=[a-z0-9])\[\.(?=[a-z0-9])|(?<=[a-z0-9])\.\](?=[a-z0-9])/gi, () => '.'],
  [/\[\/\]/g, () => '/'],
  [
    /(?<=[\p{L}\p{N}._+-]) ?[[({<] ?(?:@|at|ät|arroba|chiocciola|arobase) ?[\])}>] ?(?=[\p{L}\p{N}])/giu,
    () => '@',
  ],
  [/(?<=[a-z0-9]) ?\\\. ?(?=[a-z0-9])/gi, () => '.'],
  [
    /\bhttps? (?:colon|:) ?(?:(?:forward )?slash|\/) ?(?:(?:forward )?slash|\/) /gi,
    ([written]) => `${/^https/i.test(written) ? 'https' : 'http'}://`,
  ],
  // Each repetition is bounded, and begins at a " dot ".
  [
    new RegExp(
      `${LABEL} dot ((?:[a-z0-9-]{1,63} dot ){1,4}(?:${SPELT_TOP_LEVEL}|uk|br))(?=[/\\s.,;!?]|$)`,
      'gi',
    ),
    ([, rest = '']) => `.${rest.replaceAll(/ dot /gi, '.')}`,
  ],
  [
    new RegExp(
      `${LABEL}(?: dot |\\.)(${SPELT_TOP_LEVEL})((?: (?:forward )?slash [a-z0-9][\\w-]{0,63}){1,8})(?=[\\s.,;!?]|$)`,
      'gi',
    ),
    ([, topLevel = '', path = '']) => `.${topLevel}${path.replace(/ (?:forward )?slash /gi, '/')}`,
  ],
  [/(?<=[a-z0-9])(?: dot | \. ?| ?\. )(?=(?:com|net|org|info|biz|xyz|top|co\.uk)(?:\/|\s|$))/gi, () => '.'],
];
const MAY_BE_DISARMED =
  /h(?:xx|\*\*|\+\+|__)p| (?:dot|slash) |https?(?::(?!\/\/\S)| :| ?\[)|[[({<] ?(?:\.|dot|p[ou][in]+[kt]t?o?|@|at|ät|aro|arr|chi)|\.\]|\[\/|\\\.|(?: dot| \.|\.) ?(?<= )(?:com|net|org|info|biz|xyz|top|co\.uk)| \.(?:com|net|org|info|biz|xyz|top|co\.uk)/i;
/** A sentence may begin with "Com", so a blank on one side joins only lower-case text. */
const SENTENCE = /\. (?:com|net|org|info|biz|xyz|top)/i;

/**
 * Restores defanged URLs and mail addresses (`hxxp`, `[.]`, `{dot}`, ` dot com`, `(at)`) and keeps the mapping to the
 * original. Scans, redaction and imports of indicators read the same spellings.
 *
 * @param options.references also replaces character references of HTML
 */
export function refang(text: string, options: { readonly references?: boolean } = {}): FoldedText {
  const folded = foldText(text, options);
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
