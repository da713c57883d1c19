import type { Content } from '../content.ts';
import type { Models, Thresholds } from './models.ts';

/** The model that content is classified by, and its thresholds. */
export interface ModelContext {
  /** Left out when no model is loaded. */
  readonly version?: string;
  readonly thresholds: Thresholds;
}

/**
 * The context for files and app permissions when no model is loaded: their confidences are set by hand, and
 * are compared with about the thresholds of the shipped text model.
 */
const WITHOUT_MODELS: ModelContext = { thresholds: { warn: 0.4, block: 0.83 } };

/** Returns the thresholds for a type of content: files and apps use those of texts. */
export function modelContextFor(
  type: Content['type'],
  models: Pick<Models, 'version' | 'thresholds'> | undefined,
): ModelContext {
  if (!models) return WITHOUT_MODELS;
  const { version, thresholds } = models;
  return { version, thresholds: type === 'url' ? thresholds.url : thresholds.text };
}
