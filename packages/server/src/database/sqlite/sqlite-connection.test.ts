import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openWriter } from './sqlite-connection.ts';

test('opening a new file waits while another process writes its first rows', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'tps-sqlite-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const path = join(directory, 'service.db');
  const other = new SqliteDatabase(path);
  other.exec('begin immediate');
  let pauses = 0;
  const writer = openWriter(path, () => {
    pauses += 1;
    if (pauses === 2) other.exec('commit');
  });
  expect(pauses).toBe(2);
  expect(writer.pragma('journal_mode', { simple: true })).toBe('wal');
  writer.close();
  other.close();
});
