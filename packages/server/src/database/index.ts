export type { Database, DatabaseLog, DatabaseOptions, Queries, ReadQueries } from './database.ts';
export type { Engine } from './engine.ts';
export { openDatabase } from './open-database.ts';
export { isWorkAtFault } from './postgres/postgres-failures.ts';
export { createPool } from './postgres/postgres-pool.ts';
export { forUpdate } from './row-lock.ts';
export type { Tables } from './tables/index.ts';
export { isUniqueViolation } from './unique-violation.ts';
