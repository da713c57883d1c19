import { toDerivationSettings } from '../events/index.ts';
import type { Feature, SharedParts } from '../feature.ts';
import { threatRoutes } from './threat-routes.ts';

export function threatsFeature({ config, requests, clock, cursors }: SharedParts): Feature {
  const windows = toDerivationSettings(config.derivation).threat;
  return { routes: threatRoutes({ database: requests, cursors, clock, windows }) };
}
