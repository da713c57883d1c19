import {
  DOCUMENT_FEATURES,
  FeatureList,
  type LinearModel,
  LONG_WINDOW,
  SHORT_WINDOW,
  scoreWords,
} from '@tps/detection/training';
import { countRatios } from '../fit/count-ratios.ts';
import { Examples } from '../fit/examples.ts';
import { type TrainedWeights, toLinearModel, trainLinear } from '../fit/train-linear.ts';
import { createRandom } from '../rows/split.ts';
import { addStretch, type TextDocument } from './text-document.ts';

const BITS = 19;
const TRAINING = {
  bits: BITS,
  denseCount: DOCUMENT_FEATURES,
  epochs: 6,
  rate: 0.12,
  l1: 0.2,
  l2: 0.5,
} as const;
/**
 * The mean of four fits finds 79.9 % of all threats at 1 % false positives, where a single one finds 79.4 %, and padding
 * costs 3.3 instead of 3.9 points.
 */
const FITS = 4;
/** Between the seeds of two fits: a fit uses several consecutive seeds. */
const SEEDS_APART = 100;
/** The worst dozen words of a message count half as much as the message. */
const SHORT_SHARE = 0.5;
/**
 * The number of windows of a long text that the model learns from: with more, one mail would outweigh a
 * hundred messages.
 */
const MAX_STRETCHES = 4;

/** A window of words, half open, and its share of the text's weight. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly share: number;
}

/** Fits the weights of words several times, in different orders and on different windows, and returns the means. */
export function fitWords(documents: readonly TextDocument[], seed: number): LinearModel {
  const fits = Array.from({ length: FITS }, (_, at) => fitOnce(documents, seed + at * SEEDS_APART));
  const mean = (pick: (fit: TrainedWeights) => number) =>
    fits.reduce((sum, fit) => sum + pick(fit), 0) / FITS;
  const weights = new Float32Array(2 ** BITS + DOCUMENT_FEATURES);
  return toLinearModel({
    bits: BITS,
    bias: mean(({ bias }) => bias),
    weights: weights.map((_, at) => mean((fit) => fit.weights[at] as number)),
  });
}

/** Fits on random windows of each text, then on the windows of both lengths that scored highest. */
function fitOnce(documents: readonly TextDocument[], seed: number): TrainedWeights {
  const first = toLinearModel(fitStretches(documents, seed, anyStretches));
  return fitStretches(documents, seed + 1, (document, random) => likelyStretches(document, first, random));
}

function fitStretches(
  documents: readonly TextDocument[],
  seed: number,
  choose: (document: TextDocument, random: () => number) => readonly Stretch[],
): TrainedWeights {
  const examples = new Examples();
  const features = new FeatureList(BITS);
  const random = createRandom(seed);
  for (const document of documents) {
    for (const { from, to, share } of choose(document, random)) {
      addStretch(examples, features, { document, from, to, weight: document.weight * share });
    }
  }
  const ratios = countRatios(examples, 2 ** BITS);
  examples.scale(ratios);
  const trained = trainLinear(examples, { ...TRAINING, seed });
  return { ...trained, weights: trained.weights.map((weight, at) => weight * (ratios[at] ?? 1)) };
}

/** Start positions, spread over the text. */
function anyStretches({ words }: TextDocument, random: () => number): Stretch[] {
  const last = words.length - LONG_WINDOW;
  if (last <= 0) return [{ from: 0, to: words.length, share: 1 }];
  const count = Math.min(MAX_STRETCHES, Math.ceil(words.length / LONG_WINDOW));
  return Array.from({ length: count }, () => {
    const from = Math.floor(random() * (last + 1));
    return { from, to: from + LONG_WINDOW, share: count ** -0.5 };
  });
}

/** The windows that make a threat a threat, and those because of which a benign text is mistaken for one. */
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
  let highest = Number.NEGATIVE_INFINITY;
  for (let from = 0; from + size <= scores.length; from += 1) {
    let sum = 0;
    for (let at = from; at < from + size; at += 1) sum += scores[at] as number;
    if (sum > highest) {
      highest = sum;
      best = from;
    }
  }
  return { from: best, to: best + size, share };
}
