import type { Feature, SharedParts } from '../feature.ts';
import { registerFeedMetrics } from './feed-metrics.ts';

/** The log of events. Its routes are those of events. */
export function feedFeature({ metrics, database }: SharedParts): Feature {
  registerFeedMetrics(metrics, database);
  return {};
}
