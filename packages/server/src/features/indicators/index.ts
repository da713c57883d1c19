export { BundleKey, checkBundleKey, renewBundleKey, rewrapBundleKey } from './bundle-key.ts';
export { BundleLibrary } from './bundle-library.ts';
export { indicatorRoutes } from './indicator-routes.ts';
export { IndicatorService } from './indicator-service.ts';
export * as indicatorStore from './indicator-store.ts';
export { sweepIndicators } from './sweep-indicators.ts';
