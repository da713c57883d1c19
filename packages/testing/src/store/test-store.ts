import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@tps/server/store';
import { inject } from 'vitest';
import { runOnServer } from './postgres-setup.ts';

export interface TestStore {
  readonly url: string;
  /** Removes the store, even while it is open. */
  drop(): Promise<void>;
}

/** How stores come into being on one engine. */
interface StoreMaker {
  create(): Promise<TestStore>;
  copy(template: TestStore): Promise<TestStore>;
}

/** Folders to remove when the process ends: the template's, and those of tests that failed. */
const folders = new Set<string>();
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const sqlite: StoreMaker = {
  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'tps-sqlite-'));
    folders.add(folder);
    return {
      url: `sqlite:${join(folder, 'service.db')}`,
      async drop() {
        rmSync(folder, { recursive: true, force: true });
        folders.delete(folder);
      },
    };
  },
  async copy(template) {
    const store = await sqlite.create();
    copyFileSync(template.url.slice('sqlite:'.length), store.url.slice('sqlite:'.length));
    return store;
  },
};

const postgres: StoreMaker = {
  create: () => createDatabase('template template0'),
  // A third of the time that PostgreSQL's default takes, which writes every page to the log.
  copy: ({ url }) => createDatabase(`template ${new URL(url).pathname.slice(1)} strategy file_copy`),
};

const makers: Readonly<Record<string, StoreMaker | undefined>> = { sqlite, postgres };

/** How many databases this process has created on PostgreSQL. */
let postgresDatabases = 0;

export function countPostgresDatabases(): number {
  return postgresDatabases;
}

/** One in each worker: to copy a store takes a tenth of the time that the migrations take. */
let template: Promise<TestStore> | undefined;

/**
 * Creates a store that nothing has opened, on the engine that TEST_STORE names: a test of a store can run on both.
 * A `migrated` store has the current schema, an `empty` one has none.
 */
export async function createTestStore(from: 'migrated' | 'empty' = 'migrated'): Promise<TestStore> {
  const maker = makers[process.env.TEST_STORE ?? ''];
  if (!maker) throw new Error('This test opens a store, but runs only once: see vitest.config.ts.');
  if (from === 'empty') return maker.create();
  template ??= createTemplate(maker);
  return maker.copy(await template);
}

async function createTemplate(maker: StoreMaker): Promise<TestStore> {
  const store = await maker.create();
  await (await openDatabase(store.url)).close();
  return store;
}

async function createDatabase(source: string): Promise<TestStore> {
  postgresDatabases += 1;
  const { serverUrl, prefix } = inject('postgres');
  const name = prefix + randomBytes(6).toString('hex');
  await runOnServer(serverUrl, `create database ${name} ${source}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await runOnServer(serverUrl, `drop database ${name} with (force)`)),
  };
}
