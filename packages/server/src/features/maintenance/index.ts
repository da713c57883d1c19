export { recordBackup } from './backup/backup-record-store.ts';
export { makeBackup } from './backup/make-backup.ts';
export { restoreBackup } from './backup/restore-backup.ts';
export { type PurgeResult, purge } from './purge.ts';
export {
  DATA_CLASSES,
  type DataClass,
  DESCRIPTIONS,
  MAX_DAYS,
  type Retention,
} from './retention/data-class.ts';
export { RetentionService } from './retention/retention-service.ts';
export { type RebuiltStatistics, rebuildStatistics } from './statistics/rebuild-statistics.ts';
export { formatCheckpoint, parseCheckpoints } from './verify/checkpoint.ts';
export { describeGaps } from './verify/describe-gaps.ts';
export {
  KINDS,
  type Verification,
  verifyFile,
  verifyStore,
} from './verify/verify-store.ts';
