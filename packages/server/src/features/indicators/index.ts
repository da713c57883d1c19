export { checkBundleKey, renewBundleKey, rewrapBundleKey } from './bundle/bundle-key.ts';
export { BundleLibrary } from './bundle/bundle-library.ts';
export { toIndicatorKey, toKeyedIndicators } from './indicator-import.ts';
export type { ImportResult } from './indicator-service.ts';
export * as indicatorStore from './indicator-store.ts';
