import type { Feature, SharedParts } from '../feature.ts';
import { statisticsRoutes } from './statistics-routes.ts';

export function statisticsFeature({ requests, clock }: SharedParts): Feature {
  return { routes: statisticsRoutes({ database: requests, clock }) };
}
