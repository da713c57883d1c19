import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { serveCalls } from '../process-calls.ts';
import { type TimedWindow, timeEach } from '../time-each.ts';
import type { Durability } from './agent-rows.ts';

/** Appends as many bytes as a record takes, repeatedly, and does nothing else: no policy, no encryption, no chain. */
async function append(input: { path: string; bytes: number; fsync: Durability; window: TimedWindow }) {
  const { path, bytes, fsync, window } = input;
  const file = openSync(path, 'ax');
  const record = Buffer.alloc(bytes, 1);
  const { perSecond: eventsPerSecond, ...times } = await timeEach(window, () => {
    writeSync(file, record);
    if (fsync === 'always') fdatasyncSync(file);
  });
  closeSync(file);
  rmSync(path);
  return { eventsPerSecond, ...times, bytesEach: bytes };
}

/** Does the same on the thread pool, as a process that has other work. */
async function appendOnPool({ path, bytes, window }: { path: string; bytes: number; window: TimedWindow }) {
  const file = await open(path, 'ax');
  const record = Buffer.alloc(bytes, 1);
  const { perSecond: eventsPerSecond, ...times } = await timeEach(window, async () => {
    await file.write(record);
    await file.datasync();
  });
  await file.close();
  rmSync(path);
  return { eventsPerSecond, ...times, bytesEach: bytes };
}

/** Posts bodies of these lengths one after the other, as an agent does. */
async function post({ url, bodies }: { url: string; bodies: readonly number[] }): Promise<number> {
  const texts = bodies.map((bytes) => JSON.stringify('x'.repeat(Math.max(0, bytes - 2))));
  const startedAt = performance.now();
  for (const body of texts) {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
  }
  return (performance.now() - startedAt) / 1000;
}

const calls = { append, appendOnPool, post };
export type BareCalls = typeof calls;

serveCalls(calls);
