// The one door from the benchmarks into the service, for what cannot be done over HTTP in time: making empty stores
// with its own migrations and filling them with a million events.
export { openDatabase } from '../../packages/server/dist/database/index.js';
export { openWriter, toSqlitePath } from '../../packages/server/dist/database/sqlite/sqlite-connection.js';
