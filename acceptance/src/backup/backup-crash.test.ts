import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { verifyFile } from '@tps/server/store';
import { newFolder } from '@tps/testing/fixture';
import { FROM_SOURCE, runCommand, SERVICE_MAIN, spawnProgram, sqliteEnv } from '@tps/testing/process';
import { repetitions } from '@tps/testing/soak';
import { waitUntil } from '@tps/testing/time';
import { expect, test } from 'vitest';
import { startLoad } from '../service/event-load.ts';
import { fill, listPartials, readEventIds, runWell, useStore } from './backup-store.ts';

const KILLED_BACKUPS = repetitions({ short: 1, soak: 4 });
const KILLED_RESTORES = repetitions({ short: 2, soak: 10 });

test('kill -9 during a backup under load damages neither the store nor the former backup', async () => {
  const store = await useStore();
  const { folder, env, service, devices } = store;
  const ledger = await fill(store, 500);
  const file = join(folder, 'backup.db');
  await runWell(['backup', file], env);
  let before = readFileSync(file);

  const load = startLoad(devices, service.baseUrl, ledger);
  let left: string[] = [];
  for (let interrupted = 0; interrupted < KILLED_BACKUPS || left.length === 0; ) {
    const known = listPartials(folder);
    const program = spawnProgram({ args: ['backup', '--force', file], env });
    await waitUntil(() => listPartials(folder).length > known.length);
    await program.kill();
    left = listPartials(folder);
    const after = readFileSync(file);
    if (after.equals(before)) interrupted += 1;
    // The new backup was complete before the kill.
    else expect((await verifyFile(file)).problems).toEqual([]);
    before = after;
  }
  load.stop();
  await load.ended;

  for (const partial of left) {
    const { code, output } = await runCommand(['restore', partial], sqliteEnv(join(newFolder(), 'x.db')));
    expect(output).toMatch(/unfinished file of an interrupted backup/);
    expect(code).toBe(1);
    utimesSync(partial, 0, 0);
  }
  const output = await runWell(['backup', '--force', file], env);
  expect(output).toContain('removed an unfinished file of an interrupted backup');
  expect(listPartials(folder)).toEqual([]);
  const kept = readEventIds(file);
  expect([...ledger.acknowledged.keys()].filter((id) => !kept.has(id))).toEqual([]);
  expect(await runWell(['verify'], env)).toMatch(/^sound: /m);
  expect((await service.stop()).code).toBe(0);
});

test('an interrupted backup leaves no files behind', async () => {
  const store = await useStore();
  await fill(store, 500);
  const file = join(store.folder, 'backup.db');
  const program = spawnProgram({ args: ['backup', file], env: store.env });
  await waitUntil(() => listPartials(store.folder).length > 0);
  program.signal('SIGTERM');
  // The signal may arrive after the end of the backup. Otherwise no file is there.
  const { code } = await program.ended;
  expect(code === 0).toBe(existsSync(file));
  expect(listPartials(store.folder)).toEqual([]);
});

test('a killed restore leaves the old store or the new one, and never loses the old one', async () => {
  const store = await useStore();
  const { path, env, service } = store;
  await fill(store, 300);
  const file = join(store.folder, 'backup.db');
  await runWell(['backup', file], env);
  const inBackup = (await verifyFile(file)).events;
  const ledger = await fill(store, 50);
  // Killed, so that the latest changes of the old store are in its log.
  await service.kill();
  const inOld = readLater(path).size;
  expect(inOld).toBeGreaterThan(inBackup);
  const outcomes = new Set<number>();
  let first = '';
  const lengthMs = await timeRestore(file);
  for (let round = 0; round < KILLED_RESTORES; round += 1) {
    const own = join(newFolder(), 'service.db');
    if (round === 0) first = own;
    for (const ending of ['', '-wal']) copyFileSync(path + ending, own + ending);
    const program = spawnProgram({ args: ['restore', '--force', file], env: sqliteEnv(own) });
    const isUnderWay = () => listPartials(join(own, '..')).length > 0;
    await Promise.race([waitUntil(isUnderWay), program.ended]);
    await sleep((lengthMs * round) / KILLED_RESTORES);
    await program.kill();

    const asides = readdirSync(join(own, '..')).filter((name) => /before-restore-\w+$/.test(name));
    const ids = readEventIds(own);
    outcomes.add(ids.size);
    expect([inOld, inBackup]).toContain(ids.size);
    expect((await verifyFile(own)).problems).toEqual([]);
    if (ids.size === inBackup) {
      expect(asides).toHaveLength(1);
      const kept = readEventIds(join(own, '..', asides[0] ?? ''));
      expect([...ledger.acknowledged.keys()].filter((id) => !kept.has(id))).toEqual([]);
    }
  }
  await runWell(['restore', '--force', file], sqliteEnv(first));
  expect(listPartials(join(first, '..'))).toEqual([]);
  expect(readEventIds(first).size).toBe(inBackup);
  process.stdout.write(`killed restores left ${[...outcomes].join(' or ')} events\n`);
});

/** How long a restore takes after it has begun to write. The machine may be busy. */
async function timeRestore(file: string): Promise<number> {
  const folder = newFolder();
  const program = spawnProgram({ args: ['restore', file], env: sqliteEnv(join(folder, 'service.db')) });
  await Promise.race([waitUntil(() => listPartials(folder).length > 0), program.ended]);
  const startedAt = performance.now();
  await program.ended;
  return performance.now() - startedAt;
}

/** Reads a copy, so that the log stays next to the file. */
function readLater(path: string): Set<string> {
  const copy = join(newFolder(), 'copy.db');
  for (const ending of ['', '-wal']) copyFileSync(path + ending, copy + ending);
  return readEventIds(copy);
}

test('a backup without enough disk space reports it and leaves no files behind', async () => {
  const store = await useStore();
  await fill(store, 100);
  const file = join(store.folder, 'backup.db');
  await runWell(['backup', file], store.env);
  const before = readFileSync(file);
  // Files of this program cannot grow beyond this: it acts as a full disk, without root.
  const most = Math.floor(before.length / 2);
  const run = promisify(execFile)(
    'prlimit',
    [`--fsize=${most}`, process.execPath, ...FROM_SOURCE, SERVICE_MAIN, 'backup', '--force', file],
    {
      env: { PATH: process.env.PATH, ...store.env },
    },
  );
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/disk is full|failed while creating/),
  });
  expect(listPartials(store.folder)).toEqual([]);
  expect(readFileSync(file).equals(before)).toBe(true);
});
