// The one door from the benchmarks into the service, for what cannot be done over HTTP in time: making empty stores
// with its own migrations, filling them with a million events, giving them tenants, and the PostgreSQL and the ports to
// do it on.
export { openDatabase } from '../../packages/server/dist/database/index.js';
export { openWriter, toSqlitePath } from '../../packages/server/dist/database/sqlite/sqlite-connection.js';
export { TenantService } from '../../packages/server/dist/features/tenants/index.js';
export { TokenService } from '../../packages/server/dist/features/tokens/index.js';
export { systemClock } from '../../packages/server/dist/platform/clock.js';
export {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../packages/server/dist/testing/embedded-postgres.js';
export { findFreePort } from '../../packages/server/dist/testing/free-port.js';
