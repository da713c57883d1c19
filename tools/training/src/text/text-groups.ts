import type { Models } from '@tps/detection';
import { type RankedRows, rank, rankGroups } from '../measure/ranking.ts';
import type { Row } from '../rows/row.ts';
import { mayLearnFrom } from '../url/url-row.ts';
import { languageOf } from './language-of.ts';
import { REFERENCES, type ScoredText } from './score-texts.ts';

/** Sources with threats in several languages. */
const MULTILINGUAL = ['spamhunter', 'phishpot'];

/** The rows behind the figures. */
export interface TextGroups {
  readonly all: RankedRows;
  readonly benign: RankedRows;
  readonly threats: RankedRows;
  readonly uci: RankedRows;
  /** Texts of sources that the model may learn from: with their links, and by their words alone. */
  readonly known: RankedRows;
  readonly knownWords: RankedRows;
  readonly words: RankedRows;
  readonly references: readonly RankedRows[];
  readonly threatsBySource: ReadonlyMap<string, RankedRows>;
  readonly benignBySource: ReadonlyMap<string, RankedRows>;
  readonly byLanguage: ReadonlyMap<string, RankedRows>;
}

/** Ranks the rows of each group. */
export function toGroups(scored: readonly ScoredText[], { licence }: Models): TextGroups {
  const byWords = scored.map((text) => ({ ...text, score: text.wordScore ?? Number.NaN }));
  const isWorded = ({ wordScore }: ScoredText) => wordScore !== undefined;
  const isKnown = ({ row }: ScoredText) => mayLearnFrom(row.source, licence);
  const languages = new Map(
    scored.flatMap(({ row, threat }) =>
      threat && MULTILINGUAL.includes(row.source) ? [[row, languageOf(row.content)]] : [],
    ),
  );
  return {
    all: rank(scored),
    benign: rank(scored, ({ threat }) => !threat),
    threats: rank(scored, ({ threat }) => threat),
    uci: rank(scored, ({ row }) => row.source === 'uci'),
    known: rank(scored, isKnown),
    knownWords: rank(byWords, (text) => isWorded(text) && isKnown(text)),
    words: rank(byWords, isWorded),
    references: REFERENCES.map((source) =>
      rank(scored, ({ row, threat }) => row.source === source && !threat),
    ).filter(({ scores }) => scores.length > 0),
    threatsBySource: rankGroups(scored, ({ row, threat }) => (threat ? namesOf(row) : [])),
    benignBySource: rankGroups(scored, ({ row, threat }) => (threat ? [] : namesOf(row))),
    byLanguage: rankGroups(scored, ({ row }) => {
      const language = languages.get(row);
      return language === undefined ? [] : [language];
    }),
  };
}

/**
 * The tables list a source as a whole and by its parts: user reports also contain advertising, and benign mails also
 * contain newsletters. The everyday texts are listed together too, because their targets apply to all of them.
 */
function namesOf({ source, label, topic }: Row): string[] {
  const part = source === 'smishtank' ? label : topic === 'newsletter' ? topic : undefined;
  const names = part === undefined ? [source] : [source, `${source}.${part}`];
  return source.startsWith('everyday_') ? ['everyday', ...names] : names;
}
