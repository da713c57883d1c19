export { dumpStore, holdsText } from './dump-store.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
export { dumpTable, dumpTables, listTables } from './list-tables.ts';
export { type PgBouncer, startPgBouncer } from './pg-bouncer.ts';
export { runOnServer } from './postgres-setup.ts';
export { refuseDeletes } from './refuse-deletes.ts';
export { RETAINED_TABLES, type Specimen, storeSpecimens } from './specimens.ts';
export { openTestDatabase, type TestDatabase, useTestDatabase } from './test-database.ts';
export { createTestStore, type TestStore } from './test-store.ts';
