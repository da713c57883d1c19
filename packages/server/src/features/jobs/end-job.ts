import type { Queries } from '../../database/index.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { applyMove, IDLE, type JobMove, type JobRecord } from './job.ts';
import * as jobStore from './job-store.ts';
import * as traceStore from './traces/trace-store.ts';

/** Ends a job that the caller has locked, together with its unfinished steps and its runs. */
export async function endJob(
  tx: Queries,
  tenantId: TenantId,
  job: JobRecord,
  end: {
    move: Extract<JobMove, 'complete' | 'fail' | 'cancel' | 'reject'>;
    nowMs: number;
    errorCode?: string;
  },
): Promise<JobRecord> {
  const { move, nowMs, errorCode = null } = end;
  const ended = applyMove(job, move, { ...IDLE, errorCode, nowMs });
  const { jobId, traceId, status } = ended;
  const stepStatus = status === 'cancelled' ? 'cancelled' : 'skipped';
  await traceStore.endSteps(tx, tenantId, { traceId, status: stepStatus, nowMs });
  await traceStore.endTraces(tx, tenantId, { jobId, traceId, status });
  await jobStore.save(tx, tenantId, ended);
  return ended;
}
