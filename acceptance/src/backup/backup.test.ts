import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '@tps/contract';
import { createEvent, toDeviceClient } from '@tps/simulator';
import { newFolder } from '@tps/testing/fixture';
import { runCommand, spawnService, sqliteEnv } from '@tps/testing/process';
import { createTestStore } from '@tps/testing/store';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { type EventLedger, startLoad } from '../service/event-load.ts';
import { readList } from '../service/read-api.ts';
import { fill, listPartials, readEventIds, runWell, useStore } from './backup-store.ts';

const IS_SQLITE = process.env.TEST_STORE !== 'postgres';
const BACKUPS = 3;

test.runIf(IS_SQLITE)(
  'a restored backup holds every event acknowledged before it began, and the service runs',
  async () => {
    const store = await useStore();
    const ledger: EventLedger = { acknowledged: new Map(), batches: [] };
    const load = startLoad(store.devices, store.service.baseUrl, ledger);
    const files: string[] = [];
    for (let round = 1; round <= BACKUPS; round += 1) {
      const goal = ledger.acknowledged.size + 200;
      await waitUntil(() => ledger.acknowledged.size >= goal);
      const promised = [...ledger.acknowledged.keys()];
      const file = join(store.folder, `backup-${round}.db`);
      const output = await runWell(['backup', file], store.env);
      // Events kept arriving during the backup.
      expect(ledger.acknowledged.size).toBeGreaterThan(promised.length);
      expect(output).toMatch(/verified\nsha256 [0-9a-f]{64}\n$/);
      const kept = readEventIds(file);
      expect(
        promised.filter((id) => !kept.has(id)),
        `backup ${round}`,
      ).toEqual([]);
      files.push(file);
    }
    load.stop();
    await load.ended;
    expect(await runWell(['verify'], store.env)).toMatch(/^sound: 1 tenant, \d+ events?\n$/m);
    expect(listPartials(store.folder)).toEqual([]);
    expect((await store.service.stop()).code).toBe(0);

    const restored = join(newFolder(), 'data', 'service.db');
    const env = sqliteEnv(restored);
    const output = await runWell(['restore', files.at(-1) ?? ''], env);
    expect(output).toContain('SERVICE_SECRET_KEY_B64 that was set when the backup was made');
    expect(await runWell(['verify'], env)).toMatch(/^sound: /m);
    const service = await spawnService({ env });
    const [device] = store.devices;
    if (!device) throw new Error('the store has no devices');
    const event = createEvent(device);
    await toDeviceClient(device, service).submitEvent(event);
    const { credential } = device;
    const { items } = await readList<Event>(service.baseUrl, '/events', { credential, limit: 500 });
    const served = items.map((item) => item.event_id);
    expect(served).toEqual([...readEventIds(files.at(-1) ?? ''), event.event_id].sort(byOrderOf(served)));
    expect((await service.stop()).code).toBe(0);
    expect(await runWell(['verify'], env)).toMatch(/^sound: /m);
  },
);

function byOrderOf(ids: readonly string[]): (a: string, b: string) => number {
  return (a, b) => ids.indexOf(a) - ids.indexOf(b);
}

test.runIf(IS_SQLITE)(
  'a backup is readable by its owner only, and has no other files next to it',
  async () => {
    const store = await useStore();
    await fill(store, 20);
    const file = join(store.folder, 'backup.db');
    await runWell(['backup', file], store.env);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    await runWell(['verify', file], {});
    await runWell(['backup', '--force', file], store.env);
    const folder = newFolder();
    await runWell(['restore', file], sqliteEnv(join(folder, 'service.db')));
    expect((statSync(join(folder, 'service.db')).mode & 0o777).toString(8)).toBe('600');
    expect([...listPartials(store.folder), ...listPartials(folder)]).toEqual([]);
  },
);

test.runIf(IS_SQLITE)('a feed that was rewritten as a whole differs from a kept checkpoint', async () => {
  const store = await useStore();
  await fill(store, 20);
  const file = join(store.folder, 'kept.db');
  await runWell(['backup', file], store.env);
  const checkpoint = join(store.folder, 'checkpoint.txt');
  const output = await runWell(['verify', file, '--checkpoint', '--verbose'], {});
  expect(output).toMatch(/^ {2}tokens: \d+ compared$/m);
  const columns = /^ {2}devices: platform, .*\(operators or people change it/m;
  expect(output).toMatch(columns);
  expect(await runWell(['verify', file], {})).not.toMatch(columns);
  writeFileSync(checkpoint, output);
  await runWell(['verify', file, '--expect', checkpoint], {});

  writeFileSync(checkpoint, output.replace(/ feed (\d+) [0-9a-f]{64}/, ` feed $1 ${'0'.repeat(64)}`));
  const { code, output: found } = await runCommand(['verify', file, '--expect', checkpoint], {});
  expect(found).toMatch(/chain differs from the checkpoint at position \d+: it was rewritten/);
  expect(code).toBe(1);
});

test.runIf(!IS_SQLITE)(
  'a PostgreSQL store is verified here, but backed up and restored by its own tools',
  async () => {
    const { url, drop } = await createTestStore('empty');
    onTestFinished(drop);
    const env = { SERVICE_DATABASE_URL: url };
    const service = await spawnService({ env });
    expect(await runWell(['verify'], env)).toMatch(/\nsound: 1 tenant, 0 events\n$/);
    for (const [command, tool] of [
      ['backup', 'pg_dump'],
      ['restore', 'pg_restore'],
    ] as const) {
      const { code, output } = await runCommand([command, 'x.db'], env);
      expect(code).toBe(1);
      expect(output).toContain(`${tool} --`);
      expect(output).not.toContain(url);
    }
    expect((await service.stop()).code).toBe(0);
  },
);

test.runIf(IS_SQLITE)('a store that was not closed cleanly is backed up completely', async () => {
  const store = await useStore();
  const ledger = await fill(store, 100);
  await store.service.kill();
  const file = join(store.folder, 'backup.db');
  await runWell(['backup', file], store.env);
  const kept = readEventIds(file);
  expect([...ledger.acknowledged.keys()].filter((id) => !kept.has(id))).toEqual([]);
  expect(readFileSync(file).subarray(0, 15).toString()).toBe('SQLite format 3');
});
