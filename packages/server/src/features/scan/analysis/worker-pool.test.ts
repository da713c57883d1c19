import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '../../../platform/logger.ts';
import type { TenantId } from '../../../platform/tenant-id.ts';
import { WorkerPool } from './worker-pool.ts';

const CANARY = 'canary-in-a-coal-mine';
const settings = {
  deadlineMs: 10_000,
  modelFile: '/nowhere',
  yaraRules: undefined,
  clamd: undefined,
  trustAnchors: [],
};

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
  expect(await pool.run(task, 'tnt_one' as TenantId)).toEqual({ kind: 'crashed' });
  expect(lines.join('')).toContain('ERR_WORKER_OUT_OF_MEMORY');
  expect(lines.join('')).not.toContain(CANARY);
  await pool.close();
});

test('work that exceeds the deadline is aborted, even while its thread is starting', async () => {
  const logger = createLogger({ level: 'silent' });
  const pool = new WorkerPool({ workers: 1, settings: { ...settings, deadlineMs: 1 }, logger });
  const task = { content: { type: 'text', text: 'hello' } } as const;
  expect(await pool.run(task, 'tnt_one' as TenantId)).toEqual({ kind: 'overrun' });
  await pool.close();
  expect(await pool.run(task, 'tnt_one' as TenantId)).toEqual({ kind: 'refused' });
});

test('one tenant cannot occupy every thread', async () => {
  // This clamd never answers, so a file occupies its thread until the pool closes.
  const connections: Socket[] = [];
  const silent = createServer((socket) => void connections.push(socket.on('error', () => undefined)));
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const clamd = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port };
  const logger = createLogger({ level: 'silent' });
  const pool = new WorkerPool({ workers: 2, settings: { ...settings, deadlineMs: 60_000, clamd }, logger });
  const file = () => {
    const body = new TextEncoder().encode('aGk=');
    return { content: { type: 'file', encoded: { body, start: 0, end: body.length } } } as const;
  };
  const greedy = Array.from({ length: 6 }, () => pool.run(file(), 'tnt_greedy' as TenantId));
  await expect.poll(() => connections.length).toBe(1);
  const task = { content: { type: 'text', text: 'hello' } } as const;
  expect(await pool.run(task, 'tnt_other' as TenantId)).toMatchObject({ kind: 'analyzed' });
  expect(connections).toHaveLength(1);
  await pool.close();
  await Promise.all(greedy);
  for (const socket of connections) socket.destroy();
  silent.close();
});
