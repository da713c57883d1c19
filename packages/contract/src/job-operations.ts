import { Type } from 'typebox';
import { Job, JobCancellation, JobStatus, NewJob, TRIAGE_WORKFLOW } from './job.ts';
import { operation } from './operation.ts';
import { pageOf, pageQuery, tenantQuery } from './page.ts';

export const jobExample = {
  job_id: 'job_06ays3w8jrv2k7d1m5q9x4t0zg',
  tenant_id: 'tnt_example',
  status: 'waiting_review',
  workflow_id: TRIAGE_WORKFLOW,
  trace_id: 'trc_06ays3w8jrv2k7d1m5q9x4t0zh',
  artifact_refs: ['art_06ays3w8jrv2k7d1m5q9x4t0zk'],
  updated_at: '2026-03-02T09:16:01.310Z',
  reviewed_by: null,
  created_at: '2026-03-02T09:16:01.004Z',
  created_by: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
  input_refs: ['inc_06ays3w8jrv2k7d1m5q9x4t0ze'],
  max_runs: 3,
  run_count: 1,
  error_code: null,
  version: 10,
};

const queued = { ...jobExample, status: 'queued', artifact_refs: [], version: 1 };

export const listJobs = operation({
  operationId: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'jobs',
  summary: 'List jobs',
  description: 'Newest first.',
  scope: 'jobs:read',
  query: pageQuery({ status: Type.Optional(JobStatus) }),
  answers: {
    200: {
      description: 'A page of jobs.',
      schema: pageOf('JobPage', Job, {}),
      example: { data: [jobExample], has_more: false, next_cursor: null },
    },
  },
});

export const createJob = operation({
  operationId: 'createJob',
  method: 'POST',
  path: '/jobs',
  tag: 'jobs',
  summary: 'Start a triage',
  description:
    'The workflow gathers evidence about the inputs, weighs it, and waits with a recommendation for a review. It changes nothing before that.',
  scope: 'jobs:write',
  body: NewJob,
  bodyExample: { workflow_id: TRIAGE_WORKFLOW, input_refs: jobExample.input_refs },
  headers: ['Idempotency-Key'],
  answers: {
    201: { description: 'Queued.', schema: Job, example: queued, headers: ['Location'] },
  },
  errors: ['unsupported_workflow', 'idempotency_conflict'],
});

export const getJob = operation({
  operationId: 'getJob',
  method: 'GET',
  path: '/jobs/{id}',
  tag: 'jobs',
  summary: 'Read one job',
  scope: 'jobs:read',
  id: 'job',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  answers: { 200: { description: 'The job.', schema: Job, example: jobExample } },
});

export const cancelJob = operation({
  operationId: 'cancelJob',
  method: 'POST',
  path: '/jobs/{id}/cancel',
  tag: 'jobs',
  summary: 'Cancel a queued, running or waiting job',
  scope: 'jobs:write',
  id: 'job',
  body: JobCancellation,
  bodyOptional: true,
  bodyExample: { comment: 'Opened twice' },
  answers: {
    200: {
      description: 'The job as it is now.',
      schema: Job,
      example: { ...jobExample, status: 'cancelled', version: 11 },
    },
  },
  errors: ['invalid_job_state'],
});

export const jobOperations = [listJobs, createJob, getJob, cancelJob] as const;
