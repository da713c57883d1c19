import { type Database, type DatabaseOptions, openDatabase } from '@tps/server/store';
import { useFixture } from '../fixture/use-fixture.ts';
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

/** Opens a new database for all tests of a file together, or for each test. */
export function useTestDatabase({
  scope = 'file',
  ...options
}: DatabaseOptions & { scope?: 'file' | 'test' } = {}): TestDatabase {
  return useFixture(() => openTestDatabase(options), { close: (store) => store.drop(), scope });
}
