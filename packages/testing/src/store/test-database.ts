import { type Database, type DatabaseOptions, openDatabase } from '@tps/server/store';
import { createTestStore, type TestStore } from './test-store.ts';

export interface TestDatabase extends TestStore {
  readonly database: Database;
}

/** Opens a new database with the current schema. */
export async function openTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const store = await createTestStore();
  const database = await openDatabase(store.url, options);
  const drop = async () => {
    await database.close();
    await store.drop();
  };
  return { database, url: store.url, drop };
}
