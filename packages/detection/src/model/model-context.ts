import type { Content } from '../content.ts';
import type { Models, Thresholds } from './models.ts';

/** What weighs content, and from where on it warns and blocks. */
export interface ModelContext {
  /** Of the models, or that of `WITHOUT_MODELS`. */
  readonly version: string;
  readonly thresholds: Thresholds;
}

/**
 * What weighs the form of files and the permissions of apps where no model is loaded: their confidences are set by hand, and are
 * held against about what the shipped model of texts warns and blocks from.
 */
export const WITHOUT_MODELS: ModelContext = { version: 'none', thresholds: { warn: 0.4, block: 0.83 } };

/** Which thresholds speak for content of a type: files and apps are held against those of texts. */
export function modelContextFor(
  type: Content['type'],
  models: Pick<Models, 'version' | 'thresholds'> | undefined,
): ModelContext {
  if (!models) return WITHOUT_MODELS;
  const { version, thresholds } = models;
  return { version, thresholds: type === 'url' ? thresholds.url : thresholds.text };
}
