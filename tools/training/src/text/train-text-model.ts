import type { ModelLicence, Thresholds } from '@tps/detection';
import {
  type CalibratedModel,
  type Calibration,
  calibrate,
  combineConfidence,
  type LinearModel,
  scoreDocument,
  scoreUrl,
  toTextFindings,
} from '@tps/detection/training';
import { expandTemplates } from '../corpus/expand-templates.ts';
import { fitCalibration } from '../fit/fit-calibration.ts';
import { atThreatShare } from '../measure/threat-share.ts';
import type { Row } from '../rows/row.ts';
import { createRandom, fractionOf } from '../rows/split.ts';
import { mayLearnFrom } from '../url/url-row.ts';
import { padWithBenign } from './disguise-text.ts';
import { type DocumentExample, describeHeldOut, fitDocuments, scoreExample } from './fit-documents.ts';
import { fitWords } from './fit-words.ts';
import { OWN_TEXTS, type TextDocument, toDocument } from './text-document.ts';
import { isTextForTesting } from './text-row.ts';

export interface TextTraining {
  readonly licence: ModelLicence;
  readonly seed: number;
  /** The URL model, trained before: the thresholds apply to a text with its links. */
  readonly url?: UrlTraining;
}

/** The result of training the URL model. */
interface UrlTraining {
  readonly model: CalibratedModel;
  readonly thresholds: Thresholds;
}

/**
 * The weight of a text in training, by source: noisy labels and repeated texts weigh less. Benign mails weigh more than
 * spam of the same years, because scams of today resemble neither: with 2 instead of 1, the model finds half a
 * point more of all threats at 1 % false positives, and the calibration error on all sources is 0.059 instead of 0.074.
 */
const LEARNING_WEIGHTS: Readonly<Record<string, number>> = {
  uci: 16,
  mendeley: 11,
  seeds: 0.75,
  'sa_easy-ham-1': 2,
  'sa_easy-ham-2': 2,
  'sa_hard-ham-1': 2,
  'sa_spam-1': 0.5,
  'sa_spam-2': 0.5,
  exais: 0.3,
  nus: 0.3,
  spamhunter: 0.3,
  phishpot: 0.5,
};
/**
 * The languages whose texts weigh fully. The texts of the others teach their words, but at full weight also that
 * links, sums and numbers are as frequent in benign texts: of all threats, the model then finds 76.7 % at 1 % false
 * positives, 79.1 % at a weight of 0.4, 79.9 % at 0.25 and 80.1 % at 0.2.
 */
const FULL_LANGUAGES: ReadonlySet<string> = new Set(['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']);
const OTHER_LANGUAGES = 0.2;
/**
 * The weight of a benign text for the thresholds, by source: what phones receive weighs more than mails of
 * twenty years ago.
 */
const THRESHOLD_WEIGHTS: Readonly<Record<string, number>> = {
  'sa_easy-ham-1': 0.03,
  'sa_easy-ham-2': 0.03,
  'sa_hard-ham-1': 0.03,
  exais: 0.3,
  nus: 0.3,
};
/**
 * The share of benign texts that may reach each threshold: of what people received, and of the project's own
 * texts, which are deliberately as hard as scams. Both hold.
 */
export const FALSE_ALARMS = {
  warn: { received: 0.01, own: 0.095 },
  block: { received: 0.001, own: 0.012 },
} as const;
const CALIBRATION_BINS = 60;
/** Combined probabilities are capped at 0.99, and a threshold must be reachable. */
const MAX_THRESHOLD = 0.985;
const MIN_STEP = 1e-6;
const FIRST_GUESS: Thresholds = { warn: 0.5, block: 0.95 };
const ROUNDS = 6;

/**
 * Trains the text model in two steps: the weights of words, then the weights of the most suspicious windows
 * of a whole text. The second step, the probabilities and the thresholds use texts that the first step did
 * not learn words from, all of sources that the licence permits.
 */
export function trainTextModel(
  rows: readonly Row[],
  { licence, seed, url }: TextTraining,
): { readonly model: CalibratedModel; readonly thresholds: Thresholds } {
  const learned = loadDocuments(rows, licence, seed);
  const foldOf = ({ key }: TextDocument) => Math.floor(fractionOf(key, seed) * 300);
  const padded = padWithBenign(learned, createRandom(seed));
  const unseen = describeHeldOut([...learned, ...padded], learned, { foldOf, seed });
  const linear = fitDocuments(unseen, fitWords(learned, seed));
  const examples = unseen.filter(({ document }) => !document.padded);
  const model = { linear, calibration: calibrationOf(examples, linear) };
  return { model, thresholds: thresholdsOf(examples, model, url) };
}

function loadDocuments(rows: readonly Row[], licence: ModelLicence, seed: number): TextDocument[] {
  const learned: TextDocument[] = [];
  for (const row of rows) {
    if (row.kind !== 'text' || isTextForTesting(row) || !mayLearnFrom(row.source, licence)) continue;
    const { content, source, threat } = row;
    const document = toDocument({ content, source, threat, weight: LEARNING_WEIGHTS[source] ?? 1 });
    if (document) learned.push(document);
  }
  for (const { content, threat, key, language } of expandTemplates(seed)) {
    const document = toDocument({
      content,
      source: OWN_TEXTS,
      threat,
      weight: (LEARNING_WEIGHTS.seeds ?? 1) * (FULL_LANGUAGES.has(language) ? 1 : OTHER_LANGUAGES),
      key,
    });
    if (document) learned.push(document);
  }
  return learned;
}

/** Probabilities come from real texts only: the project's own texts would vouch for themselves. */
function calibrationOf(examples: readonly DocumentExample[], linear: LinearModel): Calibration {
  const real = examples.filter(({ document }) => document.source !== OWN_TEXTS);
  const scored = real.map((example) => ({
    score: scoreExample(example, linear),
    threat: example.document.threat,
  }));
  return fitCalibration(atThreatShare(scored), CALIBRATION_BINS);
}

/**
 * Returns the thresholds that `FALSE_ALARMS` describes, with text and links combined as in a scan. The weight of
 * a link depends on the thresholds, so they are computed in a few rounds.
 */
function thresholdsOf(
  examples: readonly DocumentExample[],
  model: CalibratedModel,
  url: UrlTraining | undefined,
): Thresholds {
  const benign = examples
    .filter(({ document }) => !document.threat)
    .map((example) => ({
      text: example.document.text,
      words: calibrate(model.calibration, scoreDocument(example.features, model.linear)),
      links: url ? example.document.text.text.links.map((link) => scoreUrl(link.url, url.model)) : [],
      source: example.document.source,
    }));
  let thresholds: Thresholds = FIRST_GUESS;
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = { text: thresholds, url: url?.thresholds ?? thresholds };
    thresholds = pointsOf(
      benign.map(({ text, words, links, source }) => ({
        score: combineConfidence(toTextFindings(text, { words, links, thresholds: both }).findings),
        source,
      })),
    );
  }
  return thresholds;
}

interface ScoredBenign {
  readonly score: number;
  readonly source: string;
}

function pointsOf(scored: readonly ScoredBenign[]): Thresholds {
  const sorted = scored.toSorted((one, other) => other.score - one.score);
  const own = sorted.filter(({ source }) => source === OWN_TEXTS);
  const received = sorted.filter(({ source }) => source !== OWN_TEXTS);
  const point = (shares: { readonly received: number; readonly own: number }) =>
    Math.min(MAX_THRESHOLD, Math.max(pointOf(received, shares.received), pointOf(own, shares.own)));
  return { warn: point(FALSE_ALARMS.warn), block: point(FALSE_ALARMS.block) };
}

/** Returns the lowest threshold that at most this share of the weight reaches. */
function pointOf(sorted: readonly ScoredBenign[], share: number): number {
  const total = sorted.reduce((sum, row) => sum + thresholdWeight(row), 0);
  let above = 0;
  for (const row of sorted) {
    above += thresholdWeight(row);
    if (above > total * share) return row.score + MIN_STEP;
  }
  return 0;
}

function thresholdWeight({ source }: ScoredBenign): number {
  return THRESHOLD_WEIGHTS[source] ?? 1;
}
