import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@tps/testing/store';
import pg from 'pg';
import type { BenchEngine } from '../options.ts';

const TMPFS = 0x01021994;

/** Durable, unlike the PostgreSQL of the tests, as in production. The sizes are those of a small server. */
const POSTGRES_SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '512MB',
  max_wal_size: '4GB',
};

/** An empty store on disk. `drop` removes it. */
export interface BenchStore {
  readonly url: string;
  /** The process of the PostgreSQL server; undefined for SQLite. */
  readonly pid: number | undefined;
  drop(): Promise<void>;
}

/** Creates stores of each engine, and removes them at the end. */
export interface BenchStores {
  create(engine: BenchEngine): Promise<BenchStore>;
  readonly directory: string;
  close(): Promise<void>;
}

/**
 * @param env added to the environment of the PostgreSQL server
 * @throws Error when the directory is in memory, where a flush costs nothing
 */
export function openBenchStores({
  directory,
  env = {},
}: {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
}): BenchStores {
  if (statfsSync(directory).type === TMPFS) {
    throw new Error(`${directory} is in memory. Set BENCH_DIR to a directory on a disk.`);
  }
  const root = mkdtempSync(join(directory, 'tps-bench-'));
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let created = 0;

  const createOnPostgres = async (): Promise<BenchStore> => {
    postgres ??= startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS, env });
    const { url: serverUrl, pid } = await postgres;
    const name = `bench_${created}`;
    await runOn(serverUrl, `create database ${name}`);
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return { url: url.href, pid, drop: () => runOn(serverUrl, `drop database ${name} with (force)`) };
  };
  return {
    directory: root,
    async create(engine) {
      created += 1;
      if (engine === 'postgres') return createOnPostgres();
      const folder = join(root, `store-${created}`);
      return {
        url: `sqlite:${join(folder, 'service.db')}`,
        pid: undefined,
        drop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    async close() {
      // A server that did not start has already reported why.
      const started = await postgres?.catch(() => undefined);
      await started?.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Creates a store, and removes it after the work. */
export async function withStore<Result>(
  stores: BenchStores,
  engine: BenchEngine,
  work: (store: BenchStore) => Promise<Result>,
): Promise<Result> {
  const store = await stores.create(engine);
  try {
    return await work(store);
  } finally {
    await store.drop();
  }
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
