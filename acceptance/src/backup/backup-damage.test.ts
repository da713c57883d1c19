import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeBackup, restoreBackup, systemClock } from '@tps/server/store';
import { newFolder } from '@tps/testing/fixture';
import { runCommand, sqliteEnv } from '@tps/testing/process';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fill, listPartials, runWell, type StoreInUse, useStore } from './backup-store.ts';

const PAGE_BYTES = 8192;
const PLACES = 40;

/** A backup of a store with events, and the store, whose service still runs. */
async function backUp(): Promise<{ file: string; store: StoreInUse }> {
  const store = await useStore();
  await fill(store, 100);
  const file = join(store.folder, 'backup.db');
  await runWell(['backup', file], store.env);
  return { file, store };
}

function flip(file: string, offset: number): void {
  const bytes = readFileSync(file);
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

/** Runs in this process: the commands are many, and each start of the program takes time. */
async function expectRefused(file: string, message: RegExp): Promise<void> {
  const path = join(newFolder(), 'service.db');
  const options = { file, force: false, report: () => undefined, clock: systemClock };
  await expect(restoreBackup(`sqlite:${path}`, options)).rejects.toThrow(message);
  expect(existsSync(path)).toBe(false);
}

/** Returns the offsets of these bytes in the file. A page that was split may still hold a copy that no row uses. */
function findAll(file: string, bytes: Uint8Array): number[] {
  const content = readFileSync(file);
  const offsets: number[] = [];
  for (let at = content.indexOf(bytes); at >= 0; at = content.indexOf(bytes, at + 1)) offsets.push(at);
  return offsets;
}

function query<Value>(file: string, text: string): Value {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return database.prepare<[], Value>(text).pluck().get() as Value;
  } finally {
    database.close();
  }
}

test('a backup that is damaged or cut off is not restored', async () => {
  const { file } = await backUp();
  const pages = Math.floor(readFileSync(file).length / PAGE_BYTES);
  const damaged = join(dirname(file), 'damaged.db');
  const places = Array.from(
    { length: PLACES },
    (_, index) => Math.floor((index * pages) / PLACES) * PAGE_BYTES,
  );
  for (const offset of [...places, 16, 100]) {
    copyFileSync(file, damaged);
    flip(damaged, offset);
    await expectRefused(damaged, /damaged|not a readable backup/);
  }
  for (const bytes of [0, 50, PAGE_BYTES, Math.floor(pages / 2) * PAGE_BYTES, pages * PAGE_BYTES - 1]) {
    copyFileSync(file, damaged);
    truncateSync(damaged, bytes);
    await expectRefused(damaged, /damaged|not a readable backup/);
  }
});

test('one changed byte of an event, a hash, the chain or its end is found, though not by SQLite', async () => {
  const { file } = await backUp();
  const row = (from: string, column: string) =>
    query<Buffer>(from, `select cast(${column} as blob) from events where position = 42`);
  const end = query<Uint8Array>(file, 'select chain_hash from feed_heads');
  const places: [string, number, RegExp][] = [
    ['body', 40, /event 42 does not match its hash/],
    ['event_hash', 0, /event 42 does not match its hash/],
    ['chain_hash', 31, /chain hash of event 42 does not follow/],
  ];
  const damaged = join(dirname(file), 'damaged.db');
  for (const [column, at, message] of places) {
    const before = row(file, column);
    const isFlipped = findAll(file, before).some((offset) => {
      copyFileSync(file, damaged);
      flip(damaged, offset + at);
      return !row(damaged, column).equals(before);
    });
    expect(isFlipped, column).toBe(true);
    expect(query(damaged, 'pragma integrity_check')).toBe('ok');
    const { code, output } = await runCommand(['verify', damaged], {});
    expect(output).toMatch(/^damaged: \d+ problems?\n$/m);
    expect(output).toMatch(message);
    expect(code).toBe(1);
    await expectRefused(damaged, message);
  }
  const changes: [string, RegExp][] = [
    ['delete from events where position = 42', /event 43 follows event 41/],
    ['delete from events where position = (select max(position) from events)', /recorded end/],
    ['update feed_heads set position = position - 1', /lies after the recorded end/],
    ['update feed_heads set chain_hash = zeroblob(32)', /chain hash of the recorded end/],
    ["insert into schema_migrations values ('9999-later', 1)", /newer version of the service \(9999-later\)/],
    ['drop table schema_migrations', /not a store of this service/],
  ];
  for (const [change, message] of changes) {
    copyFileSync(file, damaged);
    const database = new SqliteDatabase(damaged);
    database.exec(change);
    database.close();
    await expectRefused(damaged, message);
  }
  expect(end).toHaveLength(32);
});

test('a command that fails prints one sentence, exits with 1, and changes nothing', async () => {
  const { file, store } = await backUp();
  const { folder, path, env } = store;
  const at = (name: string) => join(folder, name);
  symlinkSync(path, at('link.db'));
  symlinkSync(folder, at('folder'));
  linkSync(path, at('hard.db'));
  mkdirSync(at('taken'));
  writeFileSync(at('text.db'), 'not a database, but longer than the header of one'.repeat(10));
  copyFileSync(path, at('copied.db'));
  writeFileSync(at('copied.db-wal'), 'log');
  const before = readFileSync(file);
  const make = (target: string, { force = true, store = path } = {}) =>
    makeBackup(`sqlite:${store}`, { file: target, force, report: () => undefined });
  const restore = (from: string) => {
    const options = { file: from, force: false, report: () => undefined, clock: systemClock };
    return restoreBackup(`sqlite:${at('missing.db')}`, options);
  };
  const refusals: [() => Promise<unknown>, RegExp][] = [
    [() => make(path), /is the store itself/],
    [() => make(at('link.db')), /is the store itself/],
    [() => make(at('hard.db')), /is the store itself/],
    [() => make(at('folder/service.db')), /is the store itself/],
    [() => make(`${path}-wal`), /is the store itself/],
    [() => make(`${path}.lock`), /is the store itself/],
    [() => make(at('taken')), /is a folder/],
    [() => make(at('nowhere/x.db')), /folder of .* does not exist/],
    [() => make(join(file, 'x.db')), /folder of .* does not exist/],
    [() => make(at('x.partial-0123456789abcdef')), /unfinished backup/],
    [() => make(at('x.db'), { store: at('missing.db') }), /There is no store at/],
    [() => make(at('x.db'), { store: at('text.db') }), /not a database/],
    [() => restore(at('text.db')), /not a readable backup/],
    [() => restore(at('missing-backup.db')), /There is no file/],
    [() => restore(at('copied.db')), /it is a store, not a backup/],
  ];
  for (const [work, message] of refusals) await expect(work()).rejects.toThrow(message);
  const faults: [string[], Record<string, string>, RegExp][] = [
    [['backup', file], env, /already exists.*--force/],
    [['backup', '--force', path], env, /is the store itself/],
    [['verify'], sqliteEnv(at('missing.db')), /There is no file/],
    [['verify', at('text.db')], {}, /is not an SQLite database/],
    [['restore', '--force', file], env, /in use by a running service/],
  ];
  for (const [args, environment, message] of faults) {
    const { code, output } = await runCommand(args, environment);
    expect(output, args.join(' ')).toMatch(message);
    expect(output, args.join(' ')).not.toMatch(/^ +at /m);
    expect(code, args.join(' ')).toBe(1);
  }
  expect(listPartials(folder)).toEqual([]);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(existsSync(at('missing.db'))).toBe(false);
  expect((await fetch(`${store.service.baseUrl}/readyz`)).status).toBe(200);
  await store.service.stop();
  const { code, output } = await runCommand(['restore', file], env);
  expect(output).toMatch(/A store already exists at .*\. Add --force/);
  expect(code).toBe(1);
  expect(await runWell(['verify'], env)).toMatch(/^sound: /m);
});
