import type { ModelLicence, Models } from '#detection/model/models.ts';
import { normalise } from '#detection/normaliser/normalise.ts';
import { inspectPlain } from '#detection/plain/inspect-plain.ts';
import { FUNCTION_WORDS } from '#detection/text/knows-language.ts';
import { scoreText } from '#detection/text/score-text.ts';
import {
  type Evaluation,
  type EvaluationOptions,
  type Table,
  toFixed,
  toPercent,
} from './measure/evaluation.ts';
import {
  areaUnderCurve,
  calibrationError,
  measureAt,
  type Scored,
  shareAtOrAbove,
  thresholdAt,
} from './measure/metrics.ts';
import { atThreatShare, THREAT_SHARE } from './measure/threat-share.ts';
import type { Row } from './rows/row.ts';
import { createRandom } from './rows/split.ts';
import { DISGUISES, pad } from './text-disguise.ts';
import { isTextForTesting } from './text-train.ts';
import { mayLearnFrom } from './url/url-row.ts';

interface ScoredText extends Scored {
  readonly row: Row;
  /** By its words alone, where they could be judged. */
  readonly worded: number | undefined;
}

interface Part {
  readonly table: Table;
  readonly figures: Readonly<Record<string, number>>;
}

const SEED = 23;
const MOST_DISGUISED = 600;
const PADDING_WORDS = 120;
/** Harmless sources that must stay below 1 %, each by itself, where recall is given at that point. */
const REFERENCES = ['nus', 'taskmaster4'];
const REFERENCE = `The point of 1 % false positives is where neither of ${REFERENCES.join(' and ')} has more.`;

/** Measures the model of texts, with the links of each text judged by the model of links, as a scan does it. */
export function evaluateTexts(rows: readonly Row[], { models, all }: EvaluationOptions): Evaluation {
  const usable = rows.filter((row) => row.kind === 'text' && (all || isTextForTesting(row)));
  const judged = usable.flatMap((row) => {
    const judgement = judge(row.content, models);
    return judgement === undefined ? [] : [{ row, ...judgement, threat: row.threat }];
  });
  if (judged.length === 0) return { tables: [], figures: {}, microseconds: {} };
  const point = referencePoint(judged);
  const parts = [
    overall(judged, { count: usable.length, point, models }),
    threatsBySource(judged, point, models),
    harmlessBySource(judged, models),
    byLanguage(judged, models),
    evasions(judged, point, models),
  ];
  return {
    tables: parts.map(({ table }) => table),
    figures: Object.assign({}, ...parts.map(({ figures }) => figures)),
    microseconds: times(usable, models),
  };
}

/** Scores a text and its links as a scan does; undefined when neither can be judged. */
function judge(content: string, models: Models): Pick<ScoredText, 'score' | 'worded'> | undefined {
  const { score } = inspectPlain({ type: 'text', text: content }, models);
  return score === undefined ? undefined : { score, worded: scoreText(normalise(content), models.text) };
}

function referencePoint(judged: readonly ScoredText[]): number {
  const points = REFERENCES.map((source) => {
    const scores = judged
      .filter(({ row, threat }) => row.source === source && !threat)
      .map(({ score }) => score);
    return scores.length === 0 ? 0 : thresholdAt(scores, 0.01);
  });
  return Math.max(...points);
}

function overall(
  judged: readonly ScoredText[],
  { count, point, models: { thresholds, licence } }: { count: number; point: number; models: Models },
): Part {
  const harmless = judged.filter(({ threat }) => !threat).map(({ score }) => score);
  const threats = judged.filter(({ threat }) => threat).map(({ score }) => score);
  const { precision, recall, f1 } = measureAt(judged, thresholds.text.warn);
  const uci = judged.filter(({ row }) => row.source === 'uci');
  const figures = {
    'text.precision': precision,
    'text.recall': recall,
    'text.f1': f1,
    'text.auc': areaUnderCurve(judged),
    'text.recall_at_1pct': shareAtOrAbove(threats, thresholdAt(harmless, 0.01)),
    'text.recall_at_0.1pct': shareAtOrAbove(threats, thresholdAt(harmless, 0.001)),
    ...calibration(judged, licence),
    'text.false_alarms': shareAtOrAbove(harmless, thresholds.text.warn),
    'text.false_blocks': shareAtOrAbove(harmless, thresholds.text.block),
    'text.not_judged': 1 - judged.length / count,
    ...(uci.length > 0 && {
      'text.uci.f1': measureAt(uci, 0.5).f1,
      'text.uci.f1_at_1pct': measureAt(uci, point).f1,
      'text.uci.f1_of_warnings': measureAt(uci, thresholds.text.warn).f1,
    }),
  };
  const rows = Object.entries(figures).map(([name, value]) => [name, toFixed(value)]);
  const note = `${threats.length} threats, ${harmless.length} harmless. Warns from ${toFixed(thresholds.text.warn)}, blocks from ${toFixed(thresholds.text.block)}; precision, recall and F1 are those of warnings, that of uci also at 0.5. Each text is judged with its links. The calibration error is that of held-out texts of sources the model may learn from, with threats weighed to be ${toPercent(THREAT_SHARE)} of them.`;
  return { table: { title: 'Texts', head: ['texts, all together', 'value'], rows, note }, figures };
}

/** How far probabilities are from what came true, of texts by themselves, and with their links where the model may learn. */
function calibration(judged: readonly ScoredText[], licence: ModelLicence): Record<string, number> {
  const worded = judged.flatMap((text) =>
    text.worded === undefined ? [] : [{ ...text, score: text.worded }],
  );
  const isKnown = ({ row }: ScoredText) => mayLearnFrom(row.source, licence);
  const error = (texts: readonly ScoredText[]) => calibrationError(atThreatShare(texts));
  return {
    'text.calibration_error': error(worded.filter(isKnown)),
    'text.calibration_error_of_all_sources': error(worded),
    'text.calibration_error_with_links': error(judged.filter(isKnown)),
  };
}

function threatsBySource(judged: readonly ScoredText[], point: number, { thresholds }: Models): Part {
  const figures: Record<string, number> = {};
  const rows = group(judged, ({ row, threat }) => (threat ? [row.source, ...labelled(row)] : [])).map(
    ([name, scores]) => {
      figures[`text.${name}.recall_at_1pct`] = shareAtOrAbove(scores, point);
      figures[`text.${name}.recall`] = shareAtOrAbove(scores, thresholds.text.warn);
      return [
        name,
        String(scores.length),
        ...shares(scores, [point, thresholds.text.warn, thresholds.text.block]),
      ];
    },
  );
  const head = ['threats', 'rows', 'recall at 1 % FP', 'warned of', 'blocked'];
  return { table: { title: 'Texts: threats by source', head, rows, note: REFERENCE }, figures };
}

/** What people reported holds advertising too: both kinds are given, and each by itself. */
function labelled({ source, label }: Row): string[] {
  return source === 'smishtank' ? [`${source}.${label}`] : [];
}

function harmlessBySource(judged: readonly ScoredText[], { thresholds }: Models): Part {
  const figures: Record<string, number> = {};
  const rows = group(judged, ({ row, threat }) => (threat ? [] : [row.source])).map(([name, scores]) => {
    figures[`text.${name}.false_alarms`] = shareAtOrAbove(scores, thresholds.text.warn);
    return [name, String(scores.length), ...shares(scores, [thresholds.text.warn, thresholds.text.block])];
  });
  return {
    table: { title: 'Texts: harmless by source', head: ['harmless', 'rows', 'warned of', 'blocked'], rows },
    figures,
  };
}

function byLanguage(judged: readonly ScoredText[], { thresholds }: Models): Part {
  const figures: Record<string, number> = {};
  const modern = judged.filter(
    ({ row, threat }) => threat && ['spamhunter', 'phishpot'].includes(row.source),
  );
  const rows = group(modern, ({ row }) => [languageOf(row.content)]).map(([name, scores]) => {
    figures[`text.language.${name}.recall`] = shareAtOrAbove(scores, thresholds.text.warn);
    return [name, String(scores.length), ...shares(scores, [thresholds.text.warn, thresholds.text.block])];
  });
  const note =
    'By their commonest small words; "other" holds none of those seven languages, and texts too short to tell.';
  return {
    table: {
      title: 'Texts: threats by language',
      head: ['language', 'rows', 'warned of', 'blocked'],
      rows,
      note,
    },
    figures,
  };
}

function languageOf(content: string): string {
  const words = normalise(content).text.match(/\p{L}+/gu) ?? [];
  const counts = Object.entries(FUNCTION_WORDS).map(([language, known]) => {
    const set = new Set(known);
    return { language, count: words.filter((word) => word.length > 1 && set.has(word)).length };
  });
  counts.sort((one, other) => other.count - one.count);
  const [first] = counts;
  return first && first.count >= 2 ? first.language : 'other';
}

function evasions(judged: readonly ScoredText[], point: number, models: Models): Part {
  const random = createRandom(SEED);
  const threats = judged.filter(({ row, threat }) => threat && row.content.length < 1000);
  const every = Math.max(1, Math.floor(threats.length / MOST_DISGUISED));
  const chosen = threats.filter((_, at) => at % every === 0).map(({ row }) => row.content);
  const harmless = judged
    .filter(({ row, threat }) => !threat && REFERENCES.includes(row.source))
    .map(({ row }) => row.content);
  const changes: Readonly<Record<string, (text: string) => string>> = {
    'as they are': (text) => text,
    ...Object.fromEntries(
      Object.entries(DISGUISES).map(([name, disguise]) => [name, (text: string) => disguise(text, random)]),
    ),
    padding: (text) => pad(text, harmless, { random, words: PADDING_WORDS }),
  };
  const figures: Record<string, number> = {};
  let plain = 0;
  const rows = Object.entries(changes).map(([name, change]) => {
    const scores = chosen.map((content) => judge(change(content), models)?.score ?? 0);
    const recall = shareAtOrAbove(scores, point);
    if (name === 'as they are') plain = recall;
    else figures[`text.${name}_loss`] = plain - recall;
    return [name, String(scores.length), ...shares(scores, [point, models.thresholds.text.warn])];
  });
  const note = `Padding is at least ${PADDING_WORDS} words of harmless texts, before or behind. ${REFERENCE}`;
  return {
    table: {
      title: 'Texts: evasion',
      head: ['threats', 'rows', 'recall at 1 % FP', 'warned of'],
      rows,
      note,
    },
    figures,
  };
}

/** Microseconds per text, normalising and scoring its words, after a round to warm up. */
function times(rows: readonly Row[], models: Models): Record<string, number> {
  const short = rows.filter(({ content }) => content.length >= 120 && content.length <= 200).slice(0, 500);
  const long = rows.map(({ content }) => content).join(' ');
  const measure = (texts: readonly string[], rounds: number): number => {
    for (const text of texts) scoreText(normalise(text), models.text);
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1)
      for (const text of texts) scoreText(normalise(text), models.text);
    return ((performance.now() - start) * 1000) / Math.max(1, rounds * texts.length);
  };
  return {
    'text of 160 characters': measure(
      short.map(({ content }) => content),
      3,
    ),
    'text of 10,000 characters': measure(
      Array.from({ length: 20 }, (_, at) => long.slice(at * 10_000, (at + 1) * 10_000)),
      2,
    ),
  };
}

function shares(scores: readonly number[], limits: readonly number[]): string[] {
  return limits.map((limit) => toPercent(shareAtOrAbove(scores, limit)));
}

function group(
  judged: readonly ScoredText[],
  keysOf: (text: ScoredText) => readonly string[],
): [name: string, scores: number[]][] {
  const groups = new Map<string, number[]>();
  for (const text of judged) {
    for (const key of keysOf(text)) {
      const scores = groups.get(key);
      if (scores) scores.push(text.score);
      else groups.set(key, [text.score]);
    }
  }
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}
