import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startNodeScript } from '@tps/testing/process';
import { createTestStore, type TestStore } from '@tps/testing/store';
import SqliteHandle from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../index.ts';
import { listSamples, onSamples, SAMPLE_MIGRATIONS, sample } from '../testing/sample-table.ts';
import { expectPragma } from './sqlite-connection.ts';

let store: TestStore;
let path: string;
beforeEach(async () => {
  store = await createTestStore('empty');
  path = store.url.slice('sqlite:'.length);
});
afterEach(() => store.drop());

function recordingLog() {
  const warnings: string[] = [];
  return {
    warnings,
    info: () => undefined,
    warn: (_: object, message: string) => void warnings.push(message),
  };
}

/** Opens the store in another process, writes a setting, and leaves it open. */
async function openElsewhere() {
  const script = startNodeScript(`
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('../open-database.ts'))};
    const database = await openDatabase(${JSON.stringify(store.url)});
    await database.transaction((tx) => tx.insertMany('service_settings', [{ name: 'left', value: 'here' }]));
    console.log(process.pid);
    // Until the test is over, however it ends.
    for await (const _ of process.stdin) continue;
    process.exit();
  `);
  return { script, pid: await script.nextLine() };
}

test('the writer flushes every commit to the disk and checks foreign keys', async () => {
  const database = await openDatabase(store.url);
  const pragma = (name: string) => database.transaction((tx) => sql.raw(`pragma ${name}`).execute(tx.db));
  expect((await pragma('synchronous')).rows).toEqual([{ synchronous: 2 }]);
  expect((await pragma('journal_mode')).rows).toEqual([{ journal_mode: 'wal' }]);
  expect((await pragma('foreign_keys')).rows).toEqual([{ foreign_keys: 1 }]);
  await database.close();
});

test('a connection that does not confirm the required durability is rejected', () => {
  const handle = new SqliteHandle(path);
  handle.pragma('journal_mode = wal');
  handle.pragma('synchronous = normal');
  expect(() => expectPragma(handle, 'synchronous', 2)).toThrow('synchronous = 1 where 2 is required');
  handle.close();
});

test('the file, its journal files and a new directory are accessible to their owner only', async () => {
  const nested = join(dirname(path), 'new', 'service.db');
  const database = await openDatabase(`sqlite:${nested}`);
  await database.transaction((tx) => tx.insertMany('service_settings', [{ name: 'a', value: 'b' }]));
  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);
  expect(modeOf(dirname(nested))).toBe('700');
  const files = readdirSync(dirname(nested)).sort();
  expect(files).toEqual(['service.db', 'service.db-shm', 'service.db-wal', 'service.db.lock']);
  for (const file of files) expect(modeOf(join(dirname(nested), file))).toBe('600');
  await database.close();
});

test('a file that others could read is made private', async () => {
  writeFileSync(path, '', { mode: 0o644 });
  const database = await openDatabase(store.url);
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
  await database.close();
});

test('the reading connection cannot write', async () => {
  const database = await openDatabase(store.url);
  await expect(sql`delete from service_settings`.execute(database.read.db)).rejects.toThrow();
  await database.close();
});

test('a second service on the file is rejected with the id of the first; a command may open it', async () => {
  const { script, pid } = await openElsewhere();
  await expect(openDatabase(store.url)).rejects.toThrow(`in use by a running service (process ${pid})`);
  const command = await openDatabase(store.url, { exclusive: false });
  await command.transaction((tx) => tx.insertMany('service_settings', [{ name: 'joined', value: 'yes' }]));
  const rows = await command.read.db.selectFrom('service_settings').select('name').orderBy('name').execute();
  expect(rows.map(({ name }) => name)).toEqual(['joined', 'left']);
  await command.close();
  await script.kill();
});

test('opening the file twice in one process is rejected and does not affect the first', async () => {
  const first = await openDatabase(store.url);
  await expect(openDatabase(store.url)).rejects.toThrow('in use');
  await first.transaction((tx) => tx.insertMany('service_settings', [{ name: 'a', value: 'b' }]));
  const { nextLine } = startNodeScript(`
    import { openDatabase } from ${JSON.stringify(import.meta.resolve('../open-database.ts'))};
    console.log(await openDatabase(${JSON.stringify(store.url)}).then(() => 'opened', (error) => error.message));
    process.exit();
  `);
  expect(await nextLine()).toContain('in use');
  await first.close();
  await (await openDatabase(store.url)).close();
});

test('after kill -9 the service checks the file, starts, and has everything that was committed', async () => {
  const { script } = await openElsewhere();
  await script.kill();
  const log = recordingLog();
  const database = await openDatabase(store.url, { logger: log });
  expect(log.warnings).toEqual([expect.stringContaining('after an unclean stop')]);
  expect(await database.read.db.selectFrom('service_settings').selectAll().execute()).toEqual([
    { name: 'left', value: 'here' },
  ]);
  await database.close();
});

test('a clean stop checkpoints the write-ahead log, so the next start checks nothing', async () => {
  const database = await openDatabase(store.url);
  await database.transaction((tx) => tx.insertMany('service_settings', [{ name: 'folded', value: 'in' }]));
  await database.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
  expect(readFileSync(path).includes('folded')).toBe(true);
  const log = recordingLog();
  await (await openDatabase(store.url, { logger: log })).close();
  expect(log.warnings).toEqual([]);
});

test('a file damaged by an unclean stop is rejected', async () => {
  const options = { migrations: SAMPLE_MIGRATIONS };
  const database = await openDatabase(store.url, options);
  const rows = Array.from({ length: 500 }, (_, index) => sample(`id-${index}`, { note: 'x'.repeat(200) }));
  await database.transaction((tx) => onSamples(tx).insertMany('samples', rows));
  await database.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, statSync(path).size - 16_384);
  closeSync(file);
  writeFileSync(`${path}-wal`, '');
  await expect(openDatabase(store.url, options)).rejects.toThrow('is damaged');
});

test('a full disk is unavailable, rolls back the transaction, and ends when there is space', async () => {
  const database = await openDatabase(store.url, { migrations: SAMPLE_MIGRATIONS });
  const limitPages = (pages: number) =>
    database.transaction((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx.db));
  const fill = (from: number) => {
    const rows = Array.from({ length: 200 }, (_, index) =>
      sample(`id-${from + index}`, { note: 'x'.repeat(500) }),
    );
    return database.transaction((tx) => onSamples(tx).insertMany('samples', rows));
  };
  await fill(0);
  await limitPages(1);
  const failing = await fill(1000).catch((reason: unknown) => reason);
  expect(failing).toMatchObject({ code: 'unavailable', cause: { code: 'SQLITE_FULL' } });
  expect((failing as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThanOrEqual(1);
  expect(await listSamples(database)).toHaveLength(200);
  await database.ping();
  await limitPages(1_000_000);
  await fill(1000);
  expect(await listSamples(database)).toHaveLength(400);
  await database.close();
});

test('a long transaction lets the event loop turn, and others see nothing of it until it commits', async () => {
  const database = await openDatabase(store.url, { migrations: SAMPLE_MIGRATIONS });
  const rows = Array.from({ length: 20_000 }, (_, index) => sample(`id-${index}`, { note: 'x'.repeat(500) }));
  let isOpen = true;
  const writing = database
    .transaction((tx) => onSamples(tx).insertMany('samples', rows))
    .finally(() => {
      isOpen = false;
    });
  const behind = database.transaction(async (tx) => {
    await onSamples(tx).insertMany('samples', [sample('behind')]);
    return isOpen;
  });
  let turns = 0;
  while (isOpen) {
    await nextTurn();
    if (isOpen) expect(await listSamples(database)).toEqual([]);
    turns += 1;
  }
  await writing;
  expect(turns).toBeGreaterThan(3);
  expect(await behind, 'the next transaction waited').toBe(false);
  expect(await listSamples(database)).toHaveLength(20_001);
  await database.close();
});

test('many reads let the event loop turn', async () => {
  const database = await openDatabase(store.url);
  const count = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select count(*) from n`;
  let left = 50;
  const reads = Array.from({ length: left }, () =>
    database.read.db.executeQuery(count.compile(database.read.db)).then(() => {
      left -= 1;
    }),
  );
  await nextTurn();
  await nextTurn();
  expect(left).toBeGreaterThan(0);
  await Promise.all(reads);
  await database.close();
});

test.each(['sqlite:', 'sqlite::memory:', 'sqlite:file:x?mode=memory'])(
  'the URL %s without a file is rejected',
  async (url) => {
    await expect(openDatabase(url)).rejects.toThrow('does not name a file');
  },
);

test.each<[string, () => void]>([
  ['a directory', () => mkdirSync(path)],
  ['not a database', () => writeFileSync(path, 'no database at all'.repeat(100))],
  ['a name below a file', () => writeFileSync(dirname(path), '')],
])('a path that is %s is rejected by its name', async (title, prepare) => {
  rmSync(dirname(path), { recursive: true });
  if (title !== 'a name below a file') mkdirSync(dirname(path));
  prepare();
  const error = await openDatabase(store.url).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ message: `The store ${path} cannot be opened.`, cause: expect.any(Error) });
});

test('work of another thread may overlap, and takes turns with transactions', async () => {
  const database = await openDatabase(store.url);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) =>
    database.inTurn(async () => {
      order.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
  const turns = async () => {
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  const first = [work('one')];
  await turns();
  first.push(work('two'));
  await turns();
  expect(order).toEqual(['one', 'two']);
  const transaction = database.transaction(async () => {
    order.push('transaction');
  });
  await turns();
  const late = work('three');
  for (const end of ends.splice(0)) end();
  await Promise.all([...first, transaction]);
  await turns();
  expect(order).toEqual(['one', 'two', 'transaction', 'three']);
  for (const end of ends) end();
  await late;
  await database.close();
});
