export {
  DATA_CLASSES,
  type DataClass,
  DESCRIPTIONS,
  MAX_DAYS,
  type Retention,
} from './data-class.ts';
export { RetentionService } from './retention-service.ts';
export { type RetentionResult, type RetentionRun, runRetention } from './run-retention.ts';
export { type PurgeResult, type TidyUp, tidyUp } from './tidy-up.ts';
