import { FeatureList } from '#detection/model/feature-list.ts';
import type { LinearModel } from '#detection/model/linear-model.ts';
import {
  DOCUMENT_FEATURES,
  documentFeatures,
  LONG_WINDOW,
  SHORT_WINDOW,
} from '#detection/text/document-features.ts';
import { scoreDocument, scoreWords } from '#detection/text/score-text.ts';
import { Examples } from './fit/examples.ts';
import { toLinearModel, trainLinear } from './fit/train-linear.ts';
import { createRandom } from './rows/split.ts';
import { addStretch, type TextDocument } from './text-document.ts';

const BITS = 18;
const TRAINING = {
  bits: BITS,
  denseCount: DOCUMENT_FEATURES,
  epochs: 6,
  rate: 0.12,
  l1: 0.1,
  l2: 0.5,
} as const;
/** The worst dozen words of a message count half as much as the message. */
const SHORT_SHARE = 0.5;
/** Stretches of a long text that are learnt from: more would let one mail outweigh a hundred messages. */
const MOST_STRETCHES = 4;
const FOLDS = 5;
const NEWTON_STEPS = 12;
/** In the second step, which is about the shape of texts, no source counts more: short messages alone would shape it. */
const MOST_WEIGHT = 2.5;
/** Holds the weights of the second step back a little. */
const RIDGE = 2;

/** A stretch of words, half open, and what share of its text's weight it has. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** Fits the weights of words: first on any stretches of every text, then on those of both lengths that looked most like a threat. */
export function fitWords(documents: readonly TextDocument[], seed: number): LinearModel {
  const first = fitStretches(documents, seed, anyStretches);
  return fitStretches(documents, seed + 1, (document, random) => likelyStretches(document, first, random));
}

function fitStretches(
  documents: readonly TextDocument[],
  seed: number,
  choose: (document: TextDocument, random: () => number) => readonly Stretch[],
): LinearModel {
  const examples = new Examples();
  const features = new FeatureList(BITS);
  const random = createRandom(seed);
  for (const document of documents) {
    for (const { from, to, share } of choose(document, random)) {
      addStretch(examples, features, { document, from, to, weight: document.weight * share });
    }
  }
  return toLinearModel(trainLinear(examples, { ...TRAINING, seed }));
}

/** Places to begin at, spread over the text. */
function anyStretches({ words }: TextDocument, random: () => number): Stretch[] {
  const last = words.length - LONG_WINDOW;
  if (last <= 0) return [{ from: 0, to: words.length, share: 1 }];
  const count = Math.min(MOST_STRETCHES, Math.ceil(words.length / LONG_WINDOW));
  return Array.from({ length: count }, () => {
    const from = Math.floor(random() * (last + 1));
    return { from, to: from + LONG_WINDOW, share: count ** -0.5 };
  });
}

/** What makes a threat of a threat, and what a harmless text is mistaken for one by. */
function likelyStretches(document: TextDocument, model: LinearModel, random: () => number): Stretch[] {
  const any = anyStretches(document, random);
  const { length } = document.words;
  if (length <= SHORT_WINDOW) return any;
  const scores = scoreWords(document.words, model);
  const short = likeliest(scores, SHORT_WINDOW, SHORT_SHARE);
  if (length <= LONG_WINDOW) return [...any, short];
  const long = likeliest(scores, LONG_WINDOW, 1);
  return document.threat ? [long, short] : [long, short, ...any.slice(0, 2)];
}

function likeliest(scores: Float64Array, size: number, share: number): Stretch {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  for (let from = 0; from + size <= scores.length; from += 1) {
    let sum = 0;
    for (let at = from; at < from + size; at += 1) sum += scores[at] as number;
    if (sum > most) {
      most = sum;
      best = from;
    }
  }
  return { from: best, to: best + size, share };
}

/** A document as the second step sees it: what the first, which never saw it, made of it. */
export interface DocumentExample {
  readonly document: TextDocument;
  readonly features: readonly number[];
}

/** Scores each document by words learnt from the others. */
export function describeUnseen(
  documents: readonly TextDocument[],
  learnt: readonly TextDocument[],
  { foldOf, seed }: { foldOf: (document: TextDocument) => number; seed: number },
): DocumentExample[] {
  const examples: DocumentExample[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const model = fitWords(
      learnt.filter((document) => foldOf(document) % FOLDS !== fold),
      seed + fold,
    );
    for (const document of documents) {
      if (foldOf(document) % FOLDS === fold) examples.push(describe(document, model));
    }
  }
  return examples;
}

function describe(document: TextDocument, model: LinearModel): DocumentExample {
  return {
    document,
    features: documentFeatures(scoreWords(document.words, model), document.words, document.text),
  };
}

/** Fits how the features of whole texts are weighed, by Newton's method: they are few. */
export function fitDocuments(examples: readonly DocumentExample[], words: LinearModel): LinearModel {
  let weights = new Float64Array(DOCUMENT_FEATURES + 1);
  for (let step = 0; step < NEWTON_STEPS; step += 1) {
    const { gradient, curvature } = slopes(examples, weights);
    const change = solve(curvature, gradient);
    weights = weights.map((weight, at) => weight - (change[at] as number));
  }
  return {
    ...words,
    bias: weights[DOCUMENT_FEATURES] as number,
    dense: Float32Array.from(weights.subarray(0, DOCUMENT_FEATURES)),
  };
}

function slopes(
  examples: readonly DocumentExample[],
  weights: Float64Array,
): { gradient: Float64Array; curvature: Float64Array[] } {
  const size = weights.length;
  const gradient = weights.map((weight) => weight * RIDGE);
  const curvature = Array.from({ length: size }, (_, at) => new Float64Array(size).fill(RIDGE, at, at + 1));
  for (const { document, features } of examples) {
    const row = [...features, 1];
    const score = row.reduce((sum, value, at) => sum + value * (weights[at] as number), 0);
    const probability = 1 / (1 + Math.exp(-score));
    const weight = Math.min(MOST_WEIGHT, document.weight);
    const wrong = (probability - (document.threat ? 1 : 0)) * weight;
    const bend = Math.max(1e-4, probability * (1 - probability)) * weight;
    for (const [at, value] of row.entries()) {
      if (value === 0) continue;
      gradient[at] = (gradient[at] as number) + wrong * value;
      const line = curvature[at] as Float64Array;
      for (let other = 0; other < size; other += 1) {
        line[other] = (line[other] as number) + bend * value * (row[other] as number);
      }
    }
  }
  return { gradient, curvature };
}

/** Solves a system of linear equations by elimination; the ridge keeps it well away from singular. */
function solve(matrix: readonly Float64Array[], values: Float64Array): Float64Array {
  const rows = matrix.map((line, at) => Float64Array.from([...line, values[at] as number]));
  const size = rows.length;
  for (let at = 0; at < size; at += 1) {
    const line = rows[at] as Float64Array;
    const pivot = line[at] as number;
    for (const [other, target] of rows.entries()) {
      if (other === at) continue;
      const factor = (target[at] as number) / pivot;
      for (let column = at; column <= size; column += 1) {
        target[column] = (target[column] as number) - factor * (line[column] as number);
      }
    }
  }
  return Float64Array.from(rows, (line, at) => (line[size] as number) / (line[at] as number));
}

export function scoreExample({ features }: DocumentExample, model: LinearModel): number {
  return scoreDocument(features, model);
}
