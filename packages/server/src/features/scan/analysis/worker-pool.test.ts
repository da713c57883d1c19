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
  const pool = new WorkerPool({ workers: 2, settings, logger: createLogger({ level: 'silent' }) });
  const ended: string[] = [];
  const run = async (tenantId: string, repeats: number) => {
    const task = { content: { type: 'text', text: 'Pay now https://x.example/ '.repeat(repeats) } } as const;
    await pool.run(task, tenantId as TenantId);
    ended.push(tenantId);
  };
  await Promise.all([run('tnt_warm', 1), run('tnt_up', 1)]);
  ended.length = 0;
  const greedy = Array.from({ length: 6 }, () => run('tnt_greedy', 3_500));
  await run('tnt_other', 1);
  // The greedy tenant's first work and the other's ran at the same time; its second had to wait for its first.
  expect(ended.length).toBeLessThanOrEqual(2);
  await Promise.all(greedy);
  await pool.close();
});
