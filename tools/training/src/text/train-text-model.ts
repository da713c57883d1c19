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
  /** The model of links, trained before: the thresholds are those of a text with its links. */
  readonly url?: UrlTraining;
}

/** What training the model of links gave. */
interface UrlTraining {
  readonly model: CalibratedModel;
  readonly thresholds: Thresholds;
}

/** How much a text counts in learning, by source: old mails and noisy labels less, many alike less. */
const LEARNING_WEIGHTS: Readonly<Record<string, number>> = {
  uci: 11,
  mendeley: 11,
  seeds: 1.5,
  'sa_easy-ham-1': 0.5,
  'sa_easy-ham-2': 0.5,
  'sa_hard-ham-1': 0.5,
  'sa_spam-1': 0.5,
  'sa_spam-2': 0.5,
  exais: 0.3,
  nus: 0.3,
  spamhunter: 0.3,
  phishpot: 0.5,
};
/** How much of what a benign text tells about thresholds, by source: what reaches phones more than mail of twenty years ago. */
const THRESHOLD_WEIGHTS: Readonly<Record<string, number>> = {
  'sa_easy-ham-1': 0.03,
  'sa_easy-ham-2': 0.03,
  'sa_hard-ham-1': 0.03,
  exais: 0.3,
  nus: 0.3,
};
/** Our own are alike, and harder on purpose than what people get. */
const OWN_TEXT_WEIGHT = 0.1;
const CALIBRATION_BINS = 60;
/** Fused probabilities are capped at 0.99: a threshold must be reachable. */
const MAX_THRESHOLD = 0.985;
const MIN_STEP = 1e-6;
const FIRST_GUESS: Thresholds = { warn: 0.5, block: 0.95 };
const ROUNDS = 6;

/**
 * Trains the model of texts in two steps: what words weight, then how the most suspicious stretches of a whole text are weighed.
 * The second step, the probabilities and the thresholds come from texts whose words the first had not seen, all of sources that the licence allows.
 */
export function trainTextModel(
  rows: readonly Row[],
  { licence, seed, url }: TextTraining,
): { readonly model: CalibratedModel; readonly thresholds: Thresholds } {
  const learnt = loadDocuments(rows, licence, seed);
  const foldOf = ({ key }: TextDocument) => Math.floor(fractionOf(key, seed) * 300);
  const padded = padWithBenign(learnt, createRandom(seed));
  const unseen = describeHeldOut([...learnt, ...padded], learnt, { foldOf, seed });
  const linear = fitDocuments(unseen, fitWords(learnt, seed));
  const examples = unseen.filter(({ document }) => !document.padded);
  const model = { linear, calibration: calibrationOf(examples, linear) };
  return { model, thresholds: thresholdsOf(examples, model, url) };
}

function loadDocuments(rows: readonly Row[], licence: ModelLicence, seed: number): TextDocument[] {
  const learnt: TextDocument[] = [];
  for (const row of rows) {
    if (row.kind !== 'text' || isTextForTesting(row) || !mayLearnFrom(row.source, licence)) continue;
    const { content, source, threat } = row;
    const document = toDocument({ content, source, threat, weight: LEARNING_WEIGHTS[source] ?? 1 });
    if (document) learnt.push(document);
  }
  for (const { content, threat, key } of expandTemplates(seed)) {
    const document = toDocument({
      content,
      source: OWN_TEXTS,
      threat,
      weight: LEARNING_WEIGHTS.seeds ?? 1,
      key,
    });
    if (document) learnt.push(document);
  }
  return learnt;
}

/** Probabilities are those of real texts: our own would vouch for themselves. */
function calibrationOf(examples: readonly DocumentExample[], linear: LinearModel): Calibration {
  const real = examples.filter(({ document }) => document.source !== OWN_TEXTS);
  const scored = real.map((example) => ({
    score: scoreExample(example, linear),
    threat: example.document.threat,
  }));
  return fitCalibration(atThreatShare(scored), CALIBRATION_BINS);
}

/**
 * Where 1 % and 0.1 % of the benign would be hit, text and links weighed as a scan weighs them. How much a link counts
 * depends on the thresholds themselves, so they are found by going round a few times.
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
      links: url ? example.document.text.links.map((link) => scoreUrl(link.url, url.model)) : [],
      weight: thresholdWeight(example),
    }));
  let thresholds: Thresholds = FIRST_GUESS;
  for (let round = 0; round < ROUNDS; round += 1) {
    const both = { text: thresholds, url: url?.thresholds ?? thresholds };
    thresholds = pointsOf(
      benign.map(({ text, words, links, weight }) => ({
        score: combineConfidence(toTextFindings(text, { words, links, thresholds: both }).findings),
        weight,
      })),
    );
  }
  return thresholds;
}

function pointsOf(scored: readonly { readonly score: number; readonly weight: number }[]): Thresholds {
  const sorted = scored.toSorted((one, other) => other.score - one.score);
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0);
  const point = (share: number): number => {
    let above = 0;
    for (const { score, weight } of sorted) {
      above += weight;
      if (above > total * share) return Math.min(MAX_THRESHOLD, score + MIN_STEP);
    }
    return MAX_THRESHOLD;
  };
  return { warn: point(0.01), block: point(0.001) };
}

function thresholdWeight({ document: { source } }: DocumentExample): number {
  return source === OWN_TEXTS ? OWN_TEXT_WEIGHT : (THRESHOLD_WEIGHTS[source] ?? 1);
}
