export {
  BUNDLE_TYPE,
  BundleError,
  type BundleErrorCode,
  MAX_ENVELOPE_BYTES,
  type OpenBundleOptions,
  openBundle,
  signBundle,
} from './indicators/bundle/bundle.ts';
export type { IndicatorBundle } from './indicators/bundle/bundle-payload.ts';
export { type DsseEnvelope, keyIdOf } from './indicators/bundle/dsse.ts';
export { IndicatorFormError, toCanonicalValue } from './indicators/canonical-value.ts';
export {
  ImportError,
  type ImportOptions,
  type ImportResult,
  type SkippedEntry,
} from './indicators/import/collector.ts';
export {
  detectFormat,
  INDICATOR_FORMATS,
  type IndicatorFormat,
  importIndicators,
} from './indicators/import/import-indicators.ts';
export { type Exceptions, readExceptions } from './indicators/import/read-exceptions.ts';
export { refang } from './indicators/import/refang.ts';
export { typeOfValue, UNRECOGNIZED_TYPE } from './indicators/import/value-type.ts';
export {
  INDICATOR_TYPES,
  type Indicator,
  type IndicatorKey,
  type IndicatorMatch,
  type IndicatorType,
} from './indicators/indicator.ts';
export {
  buildIndicatorIndex,
  createIndicatorIndex,
  type IndicatorIndex,
} from './indicators/indicator-index.ts';
export { keyOf, keyOfCanonical, keyOfSha256, keysOfApp, keysOfUrl } from './indicators/keys.ts';
export { toLabel } from './indicators/label.ts';
