import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../index.ts';

const directory = mkdtempSync(join(tmpdir(), 'tps-statistics-'));
const path = join(directory, 'service.db');
let handle: Sqlite.Database;

beforeAll(async () => {
  const database = await openDatabase(`sqlite:${path}`);
  await database.close();
  handle = new Sqlite(path);
});

afterAll(() => {
  handle.close();
  rmSync(directory, { recursive: true });
});

const ANY = 'in (select value from json_each(?))';

/** Lookups of the group commit and of corrections, and the index by which each is to be found in a new store. */
test.each([
  ['events by id', `select body from events where tenant_id = ? and event_id ${ANY}`, 'events_by_id'],
  ['events of a threat', 'select body from events where tenant_id = ? and threat_id = ?', 'events_by_threat'],
  [
    'corrections of an event',
    'select body from events where tenant_id = ? and corrects_event_id = ?',
    'events_by_corrected',
  ],
  [
    'open alerts to merge with',
    `select * from alerts where tenant_id = ? and status = 'open' and merge_key ${ANY} and first_event_at >= ?`,
    'alerts_open_by_merge_key',
  ],
  [
    'incidents about a device',
    `select * from incidents where tenant_id = ? and correlation_key ${ANY} and last_event_at >= ?`,
    'incidents_by_correlation',
  ],
  [
    'used nonces',
    `select nonce from request_nonces where tenant_id = ? and bucket ${ANY} and nonce ${ANY}`,
    'PRIMARY KEY (tenant_id=? AND bucket=? AND nonce=?)',
  ],
])('%s are looked up in an index, not among all rows of the tenant', (_what, text, expected) => {
  const parameters = Array.from(text.matchAll(/\?/g), () => '[]');
  const plan = handle.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(...parameters);
  expect(plan.map(({ detail }) => detail).join('\n')).toContain(expected);
});

test('a store that has the statistics is opened without a write, and others get them', async () => {
  const readStatistics = () => handle.prepare('select * from sqlite_stat1 order by tbl, idx').all();
  const reopen = async () => {
    handle.pragma('wal_checkpoint(truncate)');
    const before = readFileSync(path);
    await (await openDatabase(`sqlite:${path}`)).close();
    return !readFileSync(path).equals(before);
  };
  const statistics = readStatistics();
  expect(await reopen()).toBe(false);
  // Samples of real values would take precedence.
  handle.exec('analyze');
  expect(await reopen()).toBe(true);
  expect(readStatistics()).toEqual(statistics);
});
