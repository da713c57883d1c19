import type { Feature, SharedParts } from '../feature.ts';
import { holdingRoutes } from './holding-routes.ts';
import type { Holdings } from './holdings.ts';

/** What acts on the authority of people and programs. */
export function holdingsFeature({ requests, cursors }: SharedParts, holdings: Holdings): Feature {
  return { routes: holdingRoutes({ database: requests, cursors, holdings }) };
}
