import type { Feature, SharedParts } from '../feature.ts';
import { alertRoutes } from './alert-routes.ts';

export function alertsFeature({ requests, cursors }: SharedParts): Feature {
  return { routes: alertRoutes({ database: requests, cursors }) };
}
