/** The code of the writer thread, with faults added. */
import { workerData } from 'node:worker_threads';
import type { Event } from '@tps/contract';
import { openInThread } from '../../../database/index.ts';
import {
  type AppendTask,
  type AppendWorkerSettings,
  answerTasks,
  append as appendReally,
} from '../ingest/append-task.ts';
import { EVERY, FAULTS, type Fault } from './faults.ts';

const { databaseUrl } = workerData as AppendWorkerSettings;
const repeated = process.env.FAULT as Fault | undefined;
let groups = 0;

async function append(task: AppendTask): ReturnType<typeof appendReally> {
  groups += 1;
  const fault = findFault(task);
  if (fault === 'endsBefore') process.exit(3);
  if (fault === 'throws')
    setTimeout(() => {
      throw new Error('uncaught');
    });
  if (fault === 'isSlow') wait(100);
  if (fault === 'stops') await lockAndStop(task);
  const answer = await appendReally(task);
  if (fault === 'endsAfter') process.exit(3);
  return answer;
}

function findFault({ submissions }: AppendTask): Fault | undefined {
  if (repeated) return groups % EVERY[repeated] === 0 ? repeated : undefined;
  const events = submissions.flatMap((submission) => submission.events);
  const descriptions = events.map(({ body }) => (JSON.parse(body) as Event).description);
  return (Object.keys(FAULTS) as Fault[]).find((fault) => descriptions.includes(FAULTS[fault]));
}

/** Takes the lock that every transaction takes that appends events, then stops the thread for good. */
async function lockAndStop({ submissions }: AppendTask): Promise<void> {
  const tenantId = submissions[0]?.request.tenantId ?? '';
  await openInThread(databaseUrl, { poolSize: 1 }).transaction(async (tx) => {
    const heads = tx.db.updateTable('feed_heads').set({ received_at: 0 });
    await heads.where('tenant_id', '=', tenantId).execute();
    wait(Number.POSITIVE_INFINITY);
  });
}

/** Blocks the thread, as a disk that does not respond would. */
function wait(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

answerTasks(append);
