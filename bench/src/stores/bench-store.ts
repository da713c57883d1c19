import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { BenchEngine, BenchOptions } from '../options.ts';
import type { EmbeddedPostgres } from '../service-internals.ts';
import { startDurablePostgres } from './durable-postgres.ts';

const TMPFS = 0x01021994;

/** An empty store on disk. */
interface BenchStore {
  readonly url: string;
  drop(): Promise<void>;
}

/** Makes stores of each engine, and in the end removes whatever it made. */
export interface BenchStores {
  create(engine: BenchEngine): Promise<BenchStore>;
  /** The process of the PostgreSQL server; undefined before the first store of it. */
  postgresPid(): number | undefined;
  readonly directory: string;
  close(): Promise<void>;
}

/** @throws Error when the directory lies in memory, where writing durably costs nothing */
export function openBenchStores({ directory }: Pick<BenchOptions, 'directory'>): BenchStores {
  if (statfsSync(directory).type === TMPFS) {
    throw new Error(`${directory} is in memory; set BENCH_DIR to a directory on a disk.`);
  }
  const root = mkdtempSync(join(directory, 'tps-bench-'));
  let postgres: Promise<EmbeddedPostgres> | undefined;
  let running: EmbeddedPostgres | undefined;
  let made = 0;

  const createOnPostgres = async (): Promise<BenchStore> => {
    postgres ??= startDurablePostgres(directory);
    running = await postgres;
    const name = `bench_${made}`;
    await runOn(running.url, `create database ${name}`);
    const url = new URL(running.url);
    url.pathname = `/${name}`;
    return { url: url.href, drop: () => runOn(running?.url ?? '', `drop database ${name} with (force)`) };
  };
  return {
    directory: root,
    async create(engine) {
      made += 1;
      if (engine === 'postgres') return createOnPostgres();
      const folder = join(root, `store-${made}`);
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
