import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase, openWriter, toSqlitePath } from '../service-internals.ts';
import { percentile } from '../statistics.ts';

export interface CommitTimes {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Times transactions that write one row, one after the other: what a request would wait for without group commit. */
export async function timeOneCommit(url: string, seconds: number): Promise<CommitTimes> {
  await (await openDatabase(url)).close();
  return url.startsWith('sqlite:') ? onSqlite(url, seconds) : onPostgres(url, seconds);
}

/** Times appending a page to a file and flushing it: what the disk takes, without any store. */
export async function timeFlush(directory: string, seconds: number): Promise<CommitTimes> {
  const path = join(directory, 'flush-probe');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  try {
    return await timeEach(seconds, async () => {
      writeSync(file, page);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

async function onSqlite(url: string, seconds: number): Promise<CommitTimes> {
  const handle = openWriter(toSqlitePath(url));
  const insert = handle.prepare('insert into service_settings (name, value) values (?, ?)');
  try {
    return await timeEach(seconds, async (turn) => void insert.run(`commit ${turn}`, 'x'));
  } finally {
    handle.close();
  }
}

async function onPostgres(url: string, seconds: number): Promise<CommitTimes> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = 'insert into service_settings (name, value) values ($1, $2)';
  try {
    return await timeEach(seconds, async (turn) => {
      await client.query({ name: 'insert', text, values: [`commit ${turn}`, 'x'] });
    });
  } finally {
    await client.end();
  }
}

async function timeEach(seconds: number, work: (turn: number) => Promise<void>): Promise<CommitTimes> {
  const times: number[] = [];
  const startedAt = performance.now();
  for (let before = startedAt; before - startedAt < seconds * 1000; ) {
    await work(times.length);
    const after = performance.now();
    times.push(after - before);
    before = after;
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const sorted = Float64Array.from(times).sort();
  return {
    perSecond: times.length / elapsed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  };
}
