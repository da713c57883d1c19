import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, type DatabaseOptions, type Engine, openDatabase } from '../database/index.ts';
import { onServer, toDatabaseUrl } from './global-postgres.ts';

/** The engine this run is about: each test of a store runs once on either. */
const TEST_ENGINE: Engine = process.env.TEST_STORE === 'postgres' ? 'postgres' : 'sqlite';

export interface TestStore {
  readonly url: string;
  /** Removes the store, also from under those who still have it open. */
  drop(): Promise<void>;
}

export interface TestDatabase extends TestStore {
  readonly database: Database;
}

/** Opens a database of its own with the present schema. */
export async function openTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  const store = await createTestStore();
  const database = await openDatabase(store.url, options);
  const drop = async () => {
    await database.close();
    await store.drop();
  };
  return { database, url: store.url, drop };
}

/**
 * Makes a place for a database that nobody has open yet.
 *
 * @param from `empty` has no schema. On SQLite a new file never has one.
 */
export async function createTestStore(from: 'template' | 'empty' = 'template'): Promise<TestStore> {
  return TEST_ENGINE === 'sqlite' ? createFile() : await createOnServer(from);
}

function createFile(): TestStore {
  const directory = mkdtempSync(join(tmpdir(), 'tps-sqlite-'));
  const drop = async () => rmSync(directory, { recursive: true, force: true });
  return { url: `sqlite:${join(directory, 'service.db')}`, drop };
}

async function createOnServer(from: 'template' | 'empty'): Promise<TestStore> {
  const { serverUrl, template } = inject('postgres');
  const name = `tps_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name} template ${from === 'empty' ? 'template0' : template}`);
  const drop = () => onServer(serverUrl, `drop database ${name} with (force)`);
  return { url: toDatabaseUrl(serverUrl, name), drop };
}
