import type { Feature, SharedParts } from '../feature.ts';
import { BundleKey, checkBundleKey } from './bundle/bundle-key.ts';
import { BundleLibrary } from './bundle/bundle-library.ts';
import { indicatorRoutes } from './indicator-routes.ts';
import { IndicatorService } from './indicator-service.ts';
import { purgeIndicators } from './purge-indicators.ts';

export type IndicatorsFeature = Awaited<ReturnType<typeof indicatorsFeature>>;

/** Imported indicators, and the bundles of them that devices download. */
export async function indicatorsFeature({ database, requests, secrets, clock, cursors, turns }: SharedParts) {
  await checkBundleKey({ database, secrets });
  const bundleKey = new BundleKey({ database, secrets });
  const bundles = new BundleLibrary({ database, clock, bundleKey });
  const indicators = new IndicatorService({ clock });
  return {
    ...{ bundles },
    routes: indicatorRoutes({ database: requests, cursors, indicators, bundles, bundleKey, turns, clock }),
    chores: { 'removed indicators': (signal) => purgeIndicators(database, signal) },
  } satisfies Feature;
}
