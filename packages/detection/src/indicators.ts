/** For any platform: indicators in memory, and signed bundles. `indicators.node.ts` adds what signs bundles and reads lists. */
export * from './indicator-bundle.ts';
export { IndicatorFormError, toCanonicalValue } from './indicators/canonical-value.ts';
export { refang } from './indicators/import/refang.ts';
export { isReservedHost, typeOfValue, UNRECOGNIZED_TYPE } from './indicators/import/value-type.ts';
export {
  INDICATOR_TYPES,
  type Indicator,
  type IndicatorKey,
  type IndicatorMatch,
  type IndicatorType,
} from './indicators/indicator.ts';
export { keyOf, keyOfCanonical, keyOfSha256, keysOfApp, keysOfUrl } from './indicators/keys.ts';
export { toLabel } from './indicators/label.ts';
