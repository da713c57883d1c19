import { FeatureList } from '../features/feature-list.ts';
import { documentFeatures } from '../features/text/document-features.ts';
import { isKnownLanguage } from '../features/text/known-language.ts';
import { addContextFeatures, addOwnFeatures, toWordSequence } from '../features/text/word-features.ts';
import { calibrate } from './calibration.ts';
import { type LinearModel, scoreLinear } from './linear-model.ts';
import type { CalibratedModel } from './models.ts';
import type { PreparedText } from './prepare-text.ts';

/**
 * Returns the probability that a message, a mail or the transcript of a call is a threat. Undefined when the
 * model cannot score it: there are no words, or they are in a language or script that it has not learned.
 *
 * Each word is scored once with its neighbours; the most suspicious windows of 12 and 30 words decide, so
 * that benign words around a bait do not hide it.
 */
export function scoreText(
  prepared: PreparedText,
  { linear, calibration }: CalibratedModel,
): number | undefined {
  if (!isKnownLanguage(prepared.tokens)) return undefined;
  const features = describeText(prepared, linear);
  return calibrate(calibration, scoreDocument(features, linear));
}

/** Returns the features of a whole text, with the weights of words of a model. */
export function describeText({ text, tokens, cues }: PreparedText, linear: LinearModel): number[] {
  const scores = scoreWords(tokens, linear);
  return documentFeatures(scores, { words: tokens, capitals: text.capitals, cues });
}

/** Scores each word in its position, without the model's bias. */
export function scoreWords(words: readonly string[], linear: LinearModel): Float64Array {
  const model = { ...linear, bias: 0 };
  const features = new FeatureList(linear.bits);
  const places = toWordSequence(words);
  const scores = new Float64Array(words.length);
  const own = new Map<string, number>();
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as string;
    let known = own.get(word);
    if (known === undefined) {
      features.clear();
      addOwnFeatures(features, places, at);
      known = scoreLinear(model, features);
      own.set(word, known);
    }
    features.clear();
    addContextFeatures(features, places, at);
    scores[at] = known + scoreLinear(model, features);
  }
  return scores;
}

/** Combines the features of a whole text, by the dense weights of the model. Log-odds, before calibration. */
export function scoreDocument(features: readonly number[], { bias, dense }: LinearModel): number {
  return features.reduce((sum, feature, at) => sum + feature * (dense[at] ?? 0), bias);
}
