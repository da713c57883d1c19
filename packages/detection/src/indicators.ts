export { canonicalise, IndicatorFormError } from './indicators/canonical.ts';
export type { Indicator, IndicatorKey, IndicatorMatch, IndicatorType } from './indicators/indicator.ts';
export { INDICATOR_TYPES } from './indicators/indicator.ts';
export { keyOf, keyOfSha256, keysOfApp, keysOfUrl } from './indicators/keys.ts';
