import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWriter } from '@tps/server/store';
import { createEvent, registerDevice, toDeviceClient } from '@tps/simulator';
import { newFolder } from '@tps/testing/fixture';
import { type SpawnedService, spawnService, sqliteEnv } from '@tps/testing/process';
import { waitUntil } from '@tps/testing/time';
import { expect, onTestFinished, test } from 'vitest';
import { readJson, readList } from './read-api.ts';

const DISK_BYTES = 16 * 1024 * 1024;

async function deviceOf(service: SpawnedService) {
  const { tenantId, admin: credential } = service.credentials();
  const device = await registerDevice({ baseUrl: service.baseUrl, tenantId, credential });
  const { baseUrl } = service;
  /** The status of the response to a new event. */
  const send = async () => {
    let status = 0;
    const watched: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      status = response.status;
      return response;
    };
    const event = createEvent(device, { action_taken: 'block', severity: 'critical' });
    await toDeviceClient(device, { baseUrl, fetch: watched })
      .submitEvent(event)
      .catch(() => undefined);
    return status;
  };
  return { send, credential };
}

const statusOf = async ({ baseUrl }: { baseUrl: string }, path: string, credential?: string) =>
  (await fetch(`${baseUrl}${path}`, credential ? { headers: { authorization: `Bearer ${credential}` } } : {}))
    .status;

test.each([
  ['the store file', ['service.db', 'service.db-wal', 'service.db-shm']],
  ['its log', ['service.db-wal']],
])('while %s is moved away, the service refuses writes and is not ready', async (_title, names) => {
  const folder = newFolder();
  const service = await spawnService({ env: sqliteEnv(join(folder, 'service.db')) });
  const { send, credential } = await deviceOf(service);
  expect([await send(), await statusOf(service, '/readyz')]).toEqual([201, 200]);

  const elsewhere = newFolder();
  const present = names.filter((name) => existsSync(join(folder, name)));
  const move = (from: string, to: string) => {
    for (const name of present) renameSync(join(from, name), join(to, name));
  };
  move(folder, elsewhere);
  expect([await send(), await statusOf(service, '/readyz')]).toEqual([503, 503]);
  expect(await statusOf(service, '/events', credential)).toBe(200);
  // Another file with the name is not the store.
  for (const name of present) writeFileSync(join(folder, name), '');
  expect([await send(), await statusOf(service, '/readyz')]).toEqual([503, 503]);

  for (const name of present) rmSync(join(folder, name));
  move(elsewhere, folder);
  expect([await send(), await statusOf(service, '/readyz')]).toEqual([201, 200]);
  const count = (text: string) => service.output().split(text).length - 1;
  expect(count('store file moved or replaced')).toBe(1);
  expect(count('store file is back')).toBe(1);
  expect((await service.stop()).code).toBe(0);
});

/** A separate disk in memory; undefined where this process may not mount one. */
function mountDisk(): string | undefined {
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tps-test', folder], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}

/** Makes a job look as if it was running when its node was killed: the next start has something to write. */
async function leaveLease(path: string, service: SpawnedService, credential: string): Promise<void> {
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const { items } = await readList<{ id: string }>(service.baseUrl, '/incidents', { credential, limit: 1 });
  const body = JSON.stringify({ workflow_id: 'incident_triage_v1', input_refs: [items[0]?.id] });
  const created = await fetch(`${service.baseUrl}/jobs`, { method: 'POST', headers, body });
  expect(created.status).toBe(201);
  const { job_id: jobId } = (await created.json()) as { job_id: string };
  await waitUntil(async () => {
    const job = await readJson<{ status: string }>(service.baseUrl, `/jobs/${jobId}`, credential);
    return job.status === 'waiting_review';
  });
  const writer = openWriter(path);
  writer.exec("update jobs set leased_by = 'killed', due_at = 9000000000000");
  writer.close();
}

/** Fills the disk to the last byte. Returns the file that does. */
function fill(disk: string): string {
  const file = join(disk, 'fill');
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1k'], { stdio: 'ignore' });
  } catch {
    // That the disk is full is the purpose.
  }
  return file;
}

test('a full disk is not ready, starts to serve reads, and recovers by itself', async (context) => {
  const disk = mountDisk();
  if (disk === undefined) return context.skip('needs the right to mount a tmpfs');
  const env = sqliteEnv(join(disk, 'service.db'));
  const first = await spawnService({ env });
  const { send, credential } = await deviceOf(first);
  expect([await send(), await statusOf(first, '/readyz')]).toEqual([201, 200]);
  await leaveLease(join(disk, 'service.db'), first, credential);
  const filling = fill(disk);
  // The log has room for a few more events in its last page.
  await waitUntil(async () => (await send()) === 503, 30_000);
  expect(await statusOf(first, '/readyz')).toBe(503);
  await first.kill();

  const second = await spawnService({ env });
  expect(readdirSync(disk)).toContain('fill');
  expect(statSync(filling).size).toBeGreaterThan(0);
  expect(await statusOf(second, '/readyz')).toBe(503);
  expect(await statusOf(second, '/events', credential)).toBe(200);
  rmSync(filling);
  await waitUntil(async () => (await statusOf(second, '/readyz')) === 200, 30_000);
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'after', scopes: ['events:read'] });
  expect((await fetch(`${second.baseUrl}/tokens`, { method: 'POST', headers, body })).status).toBe(201);
  expect((await second.stop()).code).toBe(0);
});
