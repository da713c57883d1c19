/** What a device needs of indicators: it opens the signed bundle and builds an index. Small, because it does not parse URLs. */
export {
  BUNDLE_TYPE,
  BundleError,
  type BundleErrorCode,
  MAX_ENVELOPE_BYTES,
  type OpenBundleOptions,
  openBundle,
} from './indicators/bundle/bundle.ts';
export type { IndicatorBundle } from './indicators/bundle/bundle-payload.ts';
export type { DsseEnvelope } from './indicators/bundle/dsse.ts';
export { canVerifyBundles, isVerifyingKey } from './indicators/bundle/verifying-key.ts';
export {
  buildIndicatorIndex,
  createIndicatorIndex,
  type IndicatorIndex,
} from './indicators/indicator-index.ts';
