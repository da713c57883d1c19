/** A writer thread with faults, which the description of an event asks for. Otherwise it is the real one. */
import { workerData } from 'node:worker_threads';
import type { Event } from '@tps/contract';
import { openInThread } from '../../../database/index.ts';
import {
  type AppendTask,
  type AppendWorkerSettings,
  append as appendReally,
} from '../ingest/append-worker.ts';
import { FAULTS } from './faults.ts';

const { databaseUrl } = workerData as AppendWorkerSettings;

export async function append(task: AppendTask): ReturnType<typeof appendReally> {
  const wanted = task.submissions.flatMap(({ events }) =>
    events.map(({ body }) => (JSON.parse(body) as Event).description),
  );
  if (wanted.includes(FAULTS.endsBefore)) process.exit(3);
  if (wanted.includes(FAULTS.holdsLock)) await holdLock(task);
  const answer = await appendReally(task);
  if (wanted.includes(FAULTS.endsAfter)) process.exit(3);
  return answer;
}

/** Locks what every transaction that appends events locks, and stops the thread for good. */
async function holdLock({ submissions }: AppendTask): Promise<void> {
  const tenantId = submissions[0]?.request.tenantId ?? '';
  await openInThread(databaseUrl, { poolSize: 1 }).transaction(async (tx) => {
    await tx.db.updateTable('feed_heads').set({ received_at: 0 }).where('tenant_id', '=', tenantId).execute();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}
