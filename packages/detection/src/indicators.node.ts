export { keyIdOf, signBundle } from './indicators/bundle/sign-bundle.node.ts';
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
export * from './indicators.ts';
