import type { Feature, SharedParts } from '../feature.ts';
import { guidanceRoutes } from './guidance-routes.ts';

export function guidanceFeature({ cursors }: SharedParts): Feature {
  return { routes: guidanceRoutes({ cursors }) };
}
