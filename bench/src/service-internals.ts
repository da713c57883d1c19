// The one door from the benchmarks into the service, for what cannot be done over HTTP in time: making empty stores
// with its own migrations, filling them with a million events, giving them tenants, and the PostgreSQL and the ports to
// do it on.

export { findFreePort } from '@tps/testing/network';
export {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@tps/testing/store';
export { openDatabase } from '../../packages/server/src/database/index.ts';
export { openWriter, toSqlitePath } from '../../packages/server/src/database/sqlite/sqlite-connection.ts';
export { TenantService } from '../../packages/server/src/features/tenants/index.ts';
export { TokenService } from '../../packages/server/src/features/tokens/index.ts';
export { systemClock } from '../../packages/server/src/platform/clock.ts';
