export {
  clientRequester,
  listExcess,
  networkRequester,
  personRequester,
  type Requester,
} from './asked-rows.ts';
export { batchWithFallback } from './batch-with-fallback.ts';
export {
  allOf,
  type Condition,
  idsWithin,
  matches,
  matchesItems,
  matchesOrNull,
  within,
} from './conditions.ts';
export { countByTime } from './count-by-time.ts';
export type { Database, DatabaseOptions, Queries, ReadQueries, ThreadDatabase } from './database.ts';
export { withMetrics } from './database-metrics.ts';
export type { Engine } from './engine.ts';
export {
  type InspectedStore,
  inspectSqlite,
  inspectStore,
  readSchemaState,
} from './inspect-store.ts';
export { type InstallationKeys, readInstallationKeys } from './installation-keys.ts';
export { countFiltered, type FilteredRows, keySpans, readFiltered } from './key-spans.ts';
export { oncePerKey, purgeAnswers } from './once-per-key.ts';
export { openDatabase } from './open-database.ts';
export { openInThread } from './open-in-thread.ts';
export { findConnectionRisk } from './postgres/connection-risk.ts';
export { isWorkAtFault } from './postgres/postgres-failures.ts';
export { createPool } from './postgres/postgres-pool.ts';
export { prepareQuery } from './prepared-query.ts';
export { afterKeyShares, forKeyShare, forUpdate, lockInOrder, skipLocked, skipUsed } from './row-lock.ts';
export * as settingsStore from './settings-store.ts';
export { flushToDisk } from './sqlite/flush-to-disk.ts';
export { toSqlitePath } from './sqlite/sqlite-connection.ts';
export { claimSqliteStore, replaceSqliteStore } from './sqlite/sqlite-replacement.ts';
export { saveSqliteSetting } from './sqlite/sqlite-setting.ts';
export { writeSqliteSnapshot } from './sqlite/sqlite-snapshot.ts';
export { storeUnavailable } from './store-unavailable.ts';
export { TABLES, type Tables } from './tables/index.ts';
export { together } from './together.ts';
export { isUniqueViolation } from './unique-violation.ts';
