import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, openWriter, toSqlitePath } from '@tps/server/store';
import pg from 'pg';
import { type TimedWindow, type Times, timeEach } from '../time-each.ts';

/** Times transactions of one row, one after the other: the wait of a request without group commit. */
export async function timeOneCommit(url: string, window: TimedWindow): Promise<Times> {
  await (await openDatabase(url)).close();
  return url.startsWith('sqlite:') ? onSqlite(url, window) : onPostgres(url, window);
}

/** Times appending a page to a file and flushing it: the disk without a store. */
export async function timeFlush(directory: string, seconds: number): Promise<Times> {
  const path = join(directory, 'flush-probe');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4096, 1);
  try {
    return await timeEach({ seconds, warmUp: 0 }, async () => {
      writeSync(file, page);
      fdatasyncSync(file);
    });
  } finally {
    closeSync(file);
    rmSync(path);
  }
}

async function onSqlite(url: string, window: TimedWindow): Promise<Times> {
  const handle = openWriter(toSqlitePath(url));
  const insert = handle.prepare('insert into service_settings (name, value) values (?, ?)');
  try {
    return await timeEach(window, async (turn) => void insert.run(`commit ${turn}`, 'x'));
  } finally {
    handle.close();
  }
}

async function onPostgres(url: string, window: TimedWindow): Promise<Times> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = 'insert into service_settings (name, value) values ($1, $2)';
  try {
    return await timeEach(window, async (turn) => {
      await client.query({ name: 'insert', text, values: [`commit ${turn}`, 'x'] });
    });
  } finally {
    await client.end();
  }
}
