// The store without the service, for a program that prepares, measures or examines one: opens it, creates tenants and
// credentials, appends events, backs it up and restores it.
export {
  type Database,
  type DatabaseOptions,
  openDatabase,
  TABLES,
  type Tables,
  toSqlitePath,
} from './database/index.ts';
export { openWriter } from './database/sqlite/sqlite-connection.ts';
export { accountStore, PasswordHasher } from './features/accounts/index.ts';
export { deviceStore } from './features/devices/index.ts';
export { toDerivationSettings } from './features/events/index.ts';
export { appendEvents } from './features/events/ingest/append-events.ts';
export { prepareEvent } from './features/events/ingest/prepare-event.ts';
export { toStorable } from './features/events/ingest/storable-event.ts';
export { makeBackup, restoreBackup, verifyFile } from './features/maintenance/index.ts';
export { statisticsRoutes } from './features/statistics/statistics-routes.ts';
export { TenantService } from './features/tenants/tenant-service.ts';
export { TokenService } from './features/tokens/token-service.ts';
export { type Clock, systemClock } from './platform/clock.ts';
export { mintCredential } from './platform/crypto/credentials.ts';
export { createId } from './platform/identifiers.ts';
export type { TenantId } from './platform/tenant-id.ts';
