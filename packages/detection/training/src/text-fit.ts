import { FeatureList } from '#detection/model/feature-list.ts';
import type { LinearModel } from '#detection/model/linear-model.ts';
import { DOCUMENT_FEATURES, documentFeatures, LONG_WINDOW } from '#detection/text/document-features.ts';
import { scoreDocument, scoreWords } from '#detection/text/score-text.ts';
import { Examples } from './fit/examples.ts';
import { toLinearModel, trainLinear } from './fit/train-linear.ts';
import { createRandom } from './rows/split.ts';
import { addStretch, type TextDocument } from './text-document.ts';

const BITS = 18;
const EPOCHS = 5;
/** Stretches of a long text that are learnt from: more would let one mail outweigh a hundred messages. */
const MOST_STRETCHES = 4;
const FOLDS = 3;

/** Fits the weights of words: first on stretches of every text, then of threats only on those that looked like one. */
export function fitWords(documents: readonly TextDocument[], seed: number): LinearModel {
  const first = fitStretches(documents, seed, (document, random) => anyStretches(document, random));
  return fitStretches(documents, seed + 1, (document, random) =>
    document.words.length <= LONG_WINDOW ? [0] : likelyStretches(document, first, random),
  );
}

function fitStretches(
  documents: readonly TextDocument[],
  seed: number,
  choose: (document: TextDocument, random: () => number) => readonly number[],
): LinearModel {
  const examples = new Examples();
  const features = new FeatureList(BITS);
  const random = createRandom(seed);
  for (const document of documents) {
    const starts = choose(document, random);
    for (const from of starts) {
      const to = Math.min(document.words.length, from + LONG_WINDOW);
      addStretch(examples, features, { document, from, to, weight: document.weight / starts.length ** 0.5 });
    }
  }
  const training = {
    bits: BITS,
    denseCount: DOCUMENT_FEATURES,
    epochs: EPOCHS,
    rate: 0.08,
    l1: 0.25,
    l2: 0.5,
    seed,
  };
  return toLinearModel(trainLinear(examples, training));
}

/** Places to begin at, spread over the text. */
function anyStretches({ words }: TextDocument, random: () => number): number[] {
  const last = words.length - LONG_WINDOW;
  if (last <= 0) return [0];
  const count = Math.min(MOST_STRETCHES, Math.ceil(words.length / LONG_WINDOW));
  return Array.from({ length: count }, () => Math.floor(random() * (last + 1)));
}

/** The places that score highest: what makes a threat of a threat, and what a harmless text is mistaken for one by. */
function likelyStretches(document: TextDocument, model: LinearModel, random: () => number): number[] {
  const scores = scoreWords(document.words, model);
  const last = scores.length - LONG_WINDOW;
  const starts: { from: number; sum: number }[] = [];
  for (let from = 0; ; from = Math.min(last, from + LONG_WINDOW / 2)) {
    let sum = 0;
    for (let at = from; at < from + LONG_WINDOW; at += 1) sum += scores[at] as number;
    starts.push({ from, sum });
    if (from >= last) break;
  }
  starts.sort((one, other) => other.sum - one.sum);
  const likely = starts.slice(0, 2).map(({ from }) => from);
  return document.threat ? likely : [...likely, ...anyStretches(document, random).slice(0, 2)];
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

export function describe(document: TextDocument, model: LinearModel): DocumentExample {
  return {
    document,
    features: documentFeatures(scoreWords(document.words, model), document.words, document.text),
  };
}

/** Fits how the features of whole texts are weighed, by plain gradient descent with momentum: they are few. */
export function fitDocuments(examples: readonly DocumentExample[], words: LinearModel): LinearModel {
  const weights = new Float64Array(DOCUMENT_FEATURES + 1);
  const speed = new Float64Array(DOCUMENT_FEATURES + 1);
  const total = examples.reduce((sum, { document }) => sum + document.weight, 0);
  for (let step = 0; step < 600; step += 1) {
    const gradient = new Float64Array(DOCUMENT_FEATURES + 1);
    for (const { document, features } of examples) {
      let score = weights[DOCUMENT_FEATURES] as number;
      for (let at = 0; at < DOCUMENT_FEATURES; at += 1)
        score += (weights[at] as number) * (features[at] as number);
      const wrong = ((1 / (1 + Math.exp(-score)) - (document.threat ? 1 : 0)) * document.weight) / total;
      for (let at = 0; at < DOCUMENT_FEATURES; at += 1)
        gradient[at] = (gradient[at] as number) + wrong * (features[at] as number);
      gradient[DOCUMENT_FEATURES] = (gradient[DOCUMENT_FEATURES] as number) + wrong;
    }
    for (let at = 0; at <= DOCUMENT_FEATURES; at += 1) {
      speed[at] =
        0.9 * (speed[at] as number) - 0.05 * ((gradient[at] as number) + 0.0005 * (weights[at] as number));
      weights[at] = (weights[at] as number) + (speed[at] as number);
    }
  }
  return {
    ...words,
    bias: weights[DOCUMENT_FEATURES] as number,
    dense: Float32Array.from(weights.subarray(0, DOCUMENT_FEATURES)),
  };
}

export function scoreExample({ features }: DocumentExample, model: LinearModel): number {
  return scoreDocument(features, model);
}
