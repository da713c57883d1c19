export type { Database, DatabaseLog, DatabaseOptions, Engine, Queries, ReadQueries } from './database.ts';
export { openDatabase } from './open-database.ts';
export type { Tables } from './tables/index.ts';
export { isUniqueViolation } from './unique-violation.ts';
