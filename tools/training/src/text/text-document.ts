import { normalizeText } from '@tps/detection';
import {
  addWordFeatures,
  type FeatureList,
  isKnownLanguage,
  type PreparedText,
  prepareText,
  toWordSequence,
  type WordSequence,
} from '@tps/detection/training';
import type { Examples } from '../fit/examples.ts';

/** The source name of the project's own texts. */
export const OWN_TEXTS = 'seeds';

/** A text prepared for training: parsed once, used many times. */
export interface TextDocument {
  readonly source: string;
  readonly threat: boolean;
  /** Its weight relative to other texts. */
  readonly weight: number;
  /** Texts of one template stay on the same side of every fold. */
  readonly key: string;
  readonly words: readonly string[];
  readonly places: WordSequence;
  readonly text: PreparedText;
  /**
   * A threat among many benign words: the second step learns from it how to weigh windows; the first step
   * ignores it.
   */
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

/** Prepares a text for training. Undefined for a text that the model would not score. */
export function toDocument({
  content,
  source,
  threat,
  weight,
  key = content,
  padded = false,
}: TextOrigin): TextDocument | undefined {
  const text = prepareText(normalizeText(content));
  const words = text.tokens;
  if (!isKnownLanguage(words)) return undefined;
  return { source, threat, weight, key, words, places: toWordSequence(words), text, padded };
}

/** Adds the window of words between two positions as one example. */
export function addStretch(
  examples: Examples,
  features: FeatureList,
  { document, from, to, weight }: { document: TextDocument; from: number; to: number; weight: number },
): void {
  features.clear();
  for (let at = from; at < to; at += 1) addWordFeatures(features, document.places, at);
  examples.add(features, document.threat, weight);
}
