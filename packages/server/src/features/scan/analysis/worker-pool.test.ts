import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { newPipe } from '@tps/testing/fixture';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../../platform/logger.ts';
import { WorkerPool } from './worker-pool.ts';

const CANARY = 'canary-in-a-coal-mine';
const settings = {
  deadlineMs: 5_000,
  modelFile: '/nowhere',
  yaraRules: undefined,
  clamd: undefined,
  trustAnchors: [],
};

const HELLO = { content: { type: 'text', text: 'hello' } } as const;

function newFile() {
  const body = new TextEncoder().encode('aGk=');
  return { content: { type: 'file', encoded: { body, start: 0, end: body.length } } } as const;
}

/** Starts a clamd that never answers: a file occupies its thread until the deadline, or until the pool closes. */
async function startSilentScanner() {
  const connections: Socket[] = [];
  const silent = createServer((socket) => void connections.push(socket.on('error', () => undefined)));
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const close = () => {
    for (const socket of connections) socket.destroy();
    silent.close();
  };
  return { connections, clamd: { host: '127.0.0.1', port: (silent.address() as AddressInfo).port }, close };
}

test('a thread that exceeds its memory limit ends alone, and the log does not show the content', async () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  // Less than a thread needs to start.
  const pool = new WorkerPool({
    workers: 1,
    settings,
    heapMb: 4,
    logger: createLogger({ level: 'debug', destination }),
  });
  const task = { content: { type: 'text', text: CANARY } } as const;
  expect(await pool.run(task, 'tnt_one')).toEqual({ kind: 'crashed' });
  expect(lines.join('')).toContain('ERR_WORKER_OUT_OF_MEMORY');
  expect(lines.join('')).not.toContain(CANARY);
  await pool.close();
});

test('the start of a thread does not count against the deadline', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const logger = createLogger({ level: 'silent' });
  // The thread starts when this pipe has a writer.
  const modelFile = newPipe();
  const pool = new WorkerPool({ workers: 1, settings: { ...settings, modelFile }, logger });
  const outcome = pool.run(HELLO, 'tnt_one');
  vi.advanceTimersByTime(settings.deadlineMs);
  await writeFile(modelFile, 'not a model');
  expect(await outcome).toMatchObject({ kind: 'analyzed' });
  await pool.close();
  expect(await pool.run(HELLO, 'tnt_one')).toEqual({ kind: 'refused' });
});

test('work that exceeds the deadline is aborted, and its thread replaced', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { connections, clamd, close } = await startSilentScanner();
  const logger = createLogger({ level: 'silent' });
  const pool = new WorkerPool({ workers: 1, settings: { ...settings, deadlineMs: 60_000, clamd }, logger });
  const outcome = pool.run(newFile(), 'tnt_one');
  await expect.poll(() => connections.length).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(await outcome).toEqual({ kind: 'overrun' });
  expect(await pool.run(HELLO, 'tnt_one')).toMatchObject({ kind: 'analyzed' });
  await pool.close();
  close();
});

test('one tenant cannot occupy every thread', async () => {
  const { connections, clamd, close } = await startSilentScanner();
  const logger = createLogger({ level: 'silent' });
  const pool = new WorkerPool({ workers: 2, settings: { ...settings, deadlineMs: 60_000, clamd }, logger });
  const greedy = Array.from({ length: 6 }, () => pool.run(newFile(), 'tnt_greedy'));
  await expect.poll(() => connections.length).toBe(1);
  expect(await pool.run(HELLO, 'tnt_other')).toMatchObject({ kind: 'analyzed' });
  expect(connections).toHaveLength(1);
  await pool.close();
  await Promise.all(greedy);
  close();
});
