import { Type } from 'typebox';
import { AuditEntry, JOB_AUDIT_ACTIONS } from './audit.ts';
import { idOf } from './identifiers.ts';
import { Job } from './job.ts';
import { jobExample } from './job-operations.ts';
import { operation } from './operation.ts';
import { pageOf, pageQuery } from './page.ts';
import { Review } from './review.ts';
import { stringEnum } from './values.ts';

const REVIEWER = 'tok_06ays3w8jrv2k7d1m5q9x4t0za';

const entry = {
  audit_id: 'aud_06ays3w8jrv2k7d1m5q9x4t0zf',
  tenant_id: 'tnt_example',
  occurred_at: '2026-03-02T09:20:44.000Z',
  actor: { type: 'token', id: REVIEWER },
  action: 'job.review.approve',
  resource: { type: 'job', id: jobExample.job_id },
  outcome: 'success',
  request_id: 'req_4f1c0a9be27d',
  detail: 'Recommendation of run 1 approved: the caller is known to the bank as fraudulent',
  fields: { decision: 'approve', run: 1, comment: 'the caller is known to the bank as fraudulent' },
  job_id: jobExample.job_id,
  reviewed_by: REVIEWER,
};

const filters = {
  action: Type.Optional(stringEnum(JOB_AUDIT_ACTIONS, 'Only entries of this action.')),
  reviewed_by: Type.Optional(idOf('token', 'Only reviews by this token.')),
};
const auditAnswers = {
  200: {
    description: 'A page of audit entries.',
    schema: pageOf('JobAuditPage', AuditEntry, {}),
    example: { data: [entry], has_more: false, next_cursor: null },
  },
} as const;

export const reviewJob = operation({
  operationId: 'reviewJob',
  method: 'POST',
  path: '/jobs/{id}/review',
  tag: 'jobs',
  summary: 'Approve, amend, reject or cancel a job that waits for review',
  description:
    'Of several reviews at once one wins; the others are refused with `invalid_review_state`. An approved recommendation is applied to its incidents in the name of the reviewer.',
  scope: 'jobs:review',
  legacyScope: 'jobs:write',
  id: 'job',
  body: Review,
  bodyExample: { decision: 'approve', comment: 'the caller is known to the bank as fraudulent' },
  answers: {
    200: {
      description: 'The job as it is now.',
      schema: Job,
      example: { ...jobExample, status: 'running', reviewed_by: REVIEWER, version: 11 },
    },
  },
  errors: ['amendment_not_allowed', 'invalid_review_state', 'max_runs_exceeded'],
});

export const listJobAudit = operation({
  operationId: 'listJobAudit',
  method: 'GET',
  path: '/jobs/audit',
  tag: 'jobs',
  summary: 'List audit entries of all jobs',
  description: 'Newest first.',
  scope: 'jobs:read',
  query: pageQuery(filters),
  answers: auditAnswers,
});

export const listAuditOfJob = operation({
  operationId: 'listAuditOfJob',
  method: 'GET',
  path: '/jobs/{id}/audit',
  tag: 'jobs',
  summary: 'List audit entries of one job',
  description: 'Newest first.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery(filters),
  answers: auditAnswers,
});

export const reviewOperations = [reviewJob, listJobAudit, listAuditOfJob] as const;
