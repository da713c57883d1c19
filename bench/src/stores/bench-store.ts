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
interface BenchStore {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates stores of each engine, and removes them at the end. */
export interface BenchStores {
  create(engine: BenchEngine): Promise<BenchStore>;
  /** The process of the PostgreSQL server; undefined before its first store. */
  postgresPid(): number | undefined;
  readonly directory: string;
  close(): Promise<void>;
}

/** @throws Error when the directory is in memory, where a flush costs nothing */
export function openBenchStores({ directory }: { readonly directory: string }): BenchStores {
  if (statfsSync(directory).type === TMPFS) {
    throw new Error(`${directory} is in memory. Set BENCH_DIR to a directory on a disk.`);
  }
  const root = mkdtempSync(join(directory, 'tps-bench-'));
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let running: EmbeddedPostgres | undefined;
  let created = 0;

  const createOnPostgres = async (): Promise<BenchStore> => {
    postgres ??= startEmbeddedPostgres({ directory, settings: POSTGRES_SETTINGS });
    running = await postgres;
    const name = `bench_${created}`;
    await runOn(running.url, `create database ${name}`);
    const url = new URL(running.url);
    url.pathname = `/${name}`;
    return { url: url.href, drop: () => runOn(running?.url ?? '', `drop database ${name} with (force)`) };
  };
  return {
    directory: root,
    async create(engine) {
      created += 1;
      if (engine === 'postgres') return createOnPostgres();
      const folder = join(root, `store-${created}`);
      return {
        url: `sqlite:${join(folder, 'service.db')}`,
        drop: async () => rmSync(folder, { recursive: true, force: true }),
      };
    },
    postgresPid: () => running?.pid,
    async close() {
      await running?.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
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
