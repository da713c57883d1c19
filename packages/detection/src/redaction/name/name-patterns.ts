import { toNameKey } from '../../lexicon/name-key.ts';
import { NAME_PLACEHOLDER } from '../placeholder.ts';
import type { Span } from '../span.ts';
import { FAMILY_NAME, flagsOf } from './name-lexicon.ts';

const WORD = String.raw`\p{Lu}[\p{Ll}\p{M}]{1,24}`;
/** Names whose form of address is behind them, or that begin with the family name. */
const PATTERNS: readonly RegExp[] = [
  // Hungarian: `Tisztelt Kovács Úr`.
  new RegExp(
    String.raw`(?<=(?:^|[^\p{L}])(?:Tisztelt|Kedves) )${WORD}(?: ${WORD}){0,2}(?= (?:[Úú]r|[Aa]sszony|[Hh]ölgy)(?!\p{L}))`,
    'gu',
  ),
  // Vietnamese: a family name and two words or more. The name of the city has the same form.
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:Nguyễn|Trần|Lê|Phạm|Hoàng|Huỳnh|Phan|Vũ|Võ|Đặng|Bùi|Đỗ|Hồ|Ngô|Dương|Lý|Đinh|Trịnh)(?! Chí Minh)(?: ${WORD}){2,4}`,
    'gu',
  ),
  // Czech and Slovak: the form in which people are addressed.
  new RegExp(
    String.raw`(?<=(?:^|[^\p{L}])(?:[Vv]ážen[ýáíé]|[Mm]il[ýá]) (?:pane|paní|pán|pani) )${WORD}(?: ${WORD}){0,1}`,
    'gu',
  ),
];
/** People who write in lower case: only a family name of the lists is one. */
const LOWER =
  /(?<![\p{L}\p{N}])(?:herrn?|frau|mrs?|ms|señora?|signora|monsieur|madame|mevrouw|meneer)\.? (\p{Ll}[\p{Ll}\p{M}'-]{2,24})(?![\p{L}\p{N}])/gu;

/** Finds names by forms that `findNames` does not read. */
export function findNamePatterns(text: string, from: number, to: number, spans: Span[]): void {
  const part = text.slice(from, to);
  const found = PATTERNS.flatMap((pattern) =>
    [...part.matchAll(pattern)].map(({ index, 0: { length } }) => ({
      start: from + index,
      end: from + index + length,
    })),
  );
  for (const { index, 0: whole, 1: name = '' } of part.matchAll(LOWER)) {
    if (!(flagsOf(toNameKey(name)) & FAMILY_NAME)) continue;
    const end = from + index + whole.length;
    found.push({ start: end - name.length, end });
  }
  let settled = from;
  for (const { start, end } of found.sort((one, other) => one.start - other.start)) {
    if (start < settled) continue;
    spans.push({ start, end, write: () => NAME_PLACEHOLDER });
    settled = end;
  }
}
