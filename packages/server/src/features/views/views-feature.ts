import type { Feature, SharedParts } from '../feature.ts';
import { viewRoutes } from './view-routes.ts';
import { ViewService } from './view-service.ts';

/** Saved views: named states of pages. */
export function viewsFeature({ requests: database, clock, cursors }: SharedParts): Feature {
  return { routes: viewRoutes({ database, cursors, views: new ViewService({ database, clock }) }) };
}
