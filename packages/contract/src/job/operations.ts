import { Type } from 'typebox';
import { artifactExample } from '../artifact/operations.ts';
import { Artifact } from '../artifact/schema.ts';
import { AuditEntry, JOB_AUDIT_ACTIONS } from '../audit/schema.ts';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfTexts, createdWithin } from '../schema/filters.ts';
import { idOf } from '../schema/identifiers.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { stringEnum } from '../schema/values.ts';
import { stepResponses, traceExample } from '../trace/operations.ts';
import { Job, JobCancellation, JobStatus, NewJob, Review, TRIAGE_WORKFLOW } from './schema.ts';

const job = {
  job_id: traceExample.job_id,
  tenant_id: 'tnt_example',
  status: 'waiting_review',
  workflow_id: TRIAGE_WORKFLOW,
  trace_id: traceExample.trace_id,
  artifact_refs: [artifactExample.artifact_id],
  updated_at: '2026-03-02T09:16:01.310Z',
  reviewed_by: null,
  created_at: traceExample.created_at,
  created_by: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
  input_refs: traceExample.input_refs,
  max_runs: 3,
  run_count: 1,
  error_code: null,
  version: 10,
};

const queued = { ...job, status: 'queued', artifact_refs: [], version: 1 };

const REVIEWER = 'tok_06ays3w8jrv2k7d1m5q9x4t0za';

const entry = {
  audit_id: 'aud_06ays3w8jrv2k7d1m5q9x4t0zf',
  tenant_id: 'tnt_example',
  occurred_at: '2026-03-02T09:20:44.000Z',
  actor: { type: 'token', id: REVIEWER },
  action: 'job.review.approve',
  resource: { type: 'job', id: job.job_id },
  outcome: 'success',
  request_id: 'req_4f1c0a9be27d',
  detail: 'Recommendation of run 1 approved: the caller is known to the bank as fraudulent',
  fields: { decision: 'approve', run: 1, comment: 'the caller is known to the bank as fraudulent' },
  job_id: job.job_id,
  reviewed_by: REVIEWER,
};

const filters = {
  action: Type.Optional(stringEnum(JOB_AUDIT_ACTIONS, 'Only entries of this action.')),
  reviewed_by: Type.Optional(idOf('token', 'Only reviews by this token.')),
};
const auditResponses = {
  200: {
    description: 'A page of audit entries.',
    schema: pageOf('JobAuditPage', AuditEntry, {}),
    example: { data: [entry], has_more: false, next_cursor: null },
  },
} as const;

const jobFilters = {
  status: anyOf(JobStatus),
  input_ref: anyOfTexts('One of `input_refs`, such as the ID of the incident.'),
  ...createdWithin,
};

export const listJobs = operation({
  operationId: 'listJobs',
  method: 'GET',
  path: '/jobs',
  tag: 'jobs',
  summary: 'List jobs',
  description: 'Newest first.',
  scope: 'jobs:read',
  query: pageQuery(jobFilters),
  responses: {
    200: {
      description: 'A page of jobs.',
      schema: pageOf('JobPage', Job, {}),
      example: { data: [job], has_more: false, next_cursor: null },
    },
  },
});

export const countJobs = countsOperation({
  list: listJobs,
  operationId: 'countJobs',
  noun: 'jobs',
  filters: jobFilters,
});

export const createJob = operation({
  operationId: 'createJob',
  method: 'POST',
  path: '/jobs',
  tag: 'jobs',
  summary: 'Create a job',
  description:
    'Starts a triage: the workflow collects evidence about the inputs, scores it and waits for a review of its recommendation. It changes nothing before the review.',
  scope: 'jobs:write',
  body: NewJob,
  bodyExample: { workflow_id: TRIAGE_WORKFLOW, input_refs: job.input_refs },
  headers: ['Idempotency-Key'],
  responses: {
    201: { description: 'The job is queued.', schema: Job, example: queued, headers: ['Location'] },
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
  responses: { 200: { description: 'The job.', schema: Job, example: job } },
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
  responses: {
    200: {
      description: 'The updated job.',
      schema: Job,
      example: { ...job, status: 'cancelled', version: 11 },
    },
  },
  errors: ['invalid_job_state'],
});

export const reviewJob = operation({
  operationId: 'reviewJob',
  method: 'POST',
  path: '/jobs/{id}/review',
  tag: 'jobs',
  summary: 'Approve, amend, reject or cancel a job waiting for review',
  description:
    'Approving applies the recommendation to the incidents in the name of the reviewer. Of several reviews at the same time one wins; the others are 422 `invalid_review_state`. So is an approval after new events joined an incident, or when the recommended change is no longer allowed. If that happens between the approval and its application, the job fails with `incident_changed` or `invalid_state_transition`.',
  scope: 'jobs:review',
  legacyScope: 'jobs:write',
  id: 'job',
  body: Review,
  bodyExample: { decision: 'approve', comment: 'the caller is known to the bank as fraudulent' },
  responses: {
    200: {
      description: 'The updated job.',
      schema: Job,
      example: { ...job, status: 'running', reviewed_by: REVIEWER, version: 11 },
    },
  },
  errors: ['amendment_not_allowed', 'invalid_review_state', 'max_runs_exceeded'],
});

export const listJobAudit = operation({
  operationId: 'listJobAudit',
  method: 'GET',
  path: '/jobs/audit',
  tag: 'jobs',
  summary: 'List the audit entries of all jobs',
  description: 'Newest first.',
  scope: 'jobs:read',
  query: pageQuery(filters),
  responses: auditResponses,
});

export const listAuditOfJob = operation({
  operationId: 'listAuditOfJob',
  method: 'GET',
  path: '/jobs/{id}/audit',
  tag: 'jobs',
  summary: 'List the audit entries of one job',
  description: 'Newest first.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery(filters),
  responses: auditResponses,
});

export const listJobSteps = operation({
  operationId: 'listJobSteps',
  method: 'GET',
  path: '/jobs/{id}/steps',
  tag: 'jobs',
  summary: 'List the steps of a job',
  description:
    'Steps of all runs of the job: the last run first, and the last step of a run first. All steps of a run exist from its beginning, as `pending`.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery({}),
  responses: stepResponses,
});

export const listJobArtifacts = operation({
  operationId: 'listJobArtifacts',
  method: 'GET',
  path: '/jobs/{id}/artifacts',
  tag: 'jobs',
  summary: 'List the artifacts of a job',
  description:
    'Artifacts of all runs of the job with their content, newest first. They are published before the job waits for review.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of artifacts.',
      schema: pageOf('ArtifactPage', Artifact, {}),
      example: { data: [artifactExample], has_more: false, next_cursor: null },
    },
  },
});

export const jobOperations = [
  listJobs,
  countJobs,
  createJob,
  getJob,
  cancelJob,
  reviewJob,
  listJobAudit,
  listAuditOfJob,
  listJobSteps,
  listJobArtifacts,
] as const;
