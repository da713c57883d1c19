import { type NormalizedText, normalizeText } from '@tps/detection';
import {
  addWordFeatures,
  type FeatureList,
  isKnownLanguage,
  tokenize,
  toWordSequence,
  type WordSequence,
} from '@tps/detection/training';
import type { Examples } from '../fit/examples.ts';

/** What stands as the source of texts of our own. */
export const OWN_TEXTS = 'seeds';

/** A text as the trainer needs it: read once, used many times. */
export interface TextDocument {
  readonly source: string;
  readonly threat: boolean;
  /** How much it counts against others. */
  readonly weight: number;
  /** Texts made from the same one stay on the same side of every fold. */
  readonly key: string;
  readonly words: readonly string[];
  readonly places: WordSequence;
  readonly text: NormalizedText;
  /** A threat among many benign words: teaches how to weigh windows, and nothing about words. */
  readonly padded: boolean;
}

export interface TextOrigin {
  readonly content: string;
  readonly source: string;
  readonly threat: boolean;
  readonly weight: number;
  readonly key?: string;
  readonly padded?: boolean;
}

/** Reads a text for training; undefined for one that the model would not scoreContent. */
export function toDocument({
  content,
  source,
  threat,
  weight,
  key = content,
  padded = false,
}: TextOrigin): TextDocument | undefined {
  const text = normalizeText(content);
  const words = tokenize(text.text);
  if (!isKnownLanguage(words)) return undefined;
  return { source, threat, weight, key, words, places: toWordSequence(words), text, padded };
}

/** Adds the stretch of words between two places as one example. */
export function addStretch(
  examples: Examples,
  features: FeatureList,
  { document, from, to, weight }: { document: TextDocument; from: number; to: number; weight: number },
): void {
  features.clear();
  for (let at = from; at < to; at += 1) addWordFeatures(features, document.places, at);
  examples.add(features, document.threat, weight);
}
