import { DEFAULT_MAX_RUNS, type NewJob, type Review } from '@tps/contract';
import type { Queries } from '../../database/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AdmittedRequest } from '../../platform/http/route.ts';
import { notFound, ServiceError } from '../../platform/service-error.ts';
import type { TenantId } from '../../platform/tenant-id.ts';
import { type ActingRequest, actorOf, auditStore } from '../audit/index.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { createJobIn } from './create-job.ts';
import { endJob } from './end-job.ts';
import { type JobRecord, statusAfter } from './job.ts';
import * as jobStore from './job-store.ts';
import { reviewJob, withComment } from './review-job.ts';
import type { JobWorkflow } from './run-plan.ts';

interface JobServiceParts {
  readonly database: RequestDatabase;
  readonly clock: Clock;
  readonly workflows: readonly JobWorkflow[];
  /** Called after the commit of a job that is due. */
  readonly wake: () => void;
}

/** Creates, cancels and reviews jobs, each with its audit entry in the same transaction. */
export class JobService {
  readonly #parts: JobServiceParts;

  constructor(parts: JobServiceParts) {
    this.#parts = parts;
  }

  /**
   * Queues a job inside the caller's transaction. Call `wake` after its commit.
   * @throws ServiceError `unsupported_workflow`, `not_found`
   */
  create(tx: Queries, wanted: NewJob, request: ActingRequest & { tenantId: TenantId }): Promise<JobRecord> {
    const workflow = this.#findWorkflow(wanted.workflow_id);
    if (!workflow) {
      const known = this.#parts.workflows.map(({ id }) => id).join(', ');
      throw new ServiceError('unsupported_workflow', `workflow_id must be one of: ${known}`);
    }
    return createJobIn(tx, request.tenantId, {
      workflow,
      inputRefs: wanted.input_refs,
      maxRuns: wanted.max_runs ?? DEFAULT_MAX_RUNS,
      subjectId: null,
      actor: actorOf(request),
      requestId: request.requestId,
      nowMs: this.#parts.clock.now(),
    });
  }

  wake(): void {
    this.#parts.wake();
  }

  /** Cancels a job. The result of a step that is still running is discarded. @throws ServiceError `not_found`, `invalid_job_state` */
  cancel(
    tenantId: TenantId,
    jobId: string,
    { comment, request }: { comment: string | undefined; request: AdmittedRequest },
  ): Promise<JobRecord> {
    return this.#parts.database.transaction(request, async (tx) => {
      const nowMs = this.#parts.clock.now();
      const job = await jobStore.findForUpdate(tx, tenantId, jobId);
      if (!job) throw notFound('job');
      if (statusAfter(job.status, 'cancel') === undefined) {
        throw new ServiceError('invalid_job_state', `The job has already ended; its status is ${job.status}`);
      }
      const fields = { from: job.status, run: job.runCount, ...(comment === undefined ? {} : { comment }) };
      const resource = { type: 'job', id: jobId };
      const detail = withComment('Job cancelled', comment);
      await auditStore.appendFor(
        tx,
        request,
        { tenantId, action: 'job.cancel', resource, detail, fields },
        nowMs,
      );
      return endJob(tx, tenantId, job, { move: 'cancel', nowMs });
    });
  }

  /**
   * Records a reviewer's decision on a job that waits for a review.
   * @throws ServiceError `not_found`, `amendment_not_allowed`, `missing_field`, `invalid_review_state`, `max_runs_exceeded`
   */
  async review(
    tenantId: TenantId,
    jobId: string,
    { review, request }: { review: Review; request: AdmittedRequest },
  ): Promise<JobRecord> {
    const { database, clock } = this.#parts;
    const workflow = (id: string) => this.#findWorkflow(id);
    const job = await database.transaction(request, (tx) =>
      reviewJob(tx, tenantId, jobId, { review, request, workflow, nowMs: clock.now() }),
    );
    if (job.dueAtMs !== null) this.wake();
    return job;
  }

  #findWorkflow(workflowId: string): JobWorkflow | undefined {
    return this.#parts.workflows.find(({ id }) => id === workflowId);
  }
}
