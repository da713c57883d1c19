import { Type } from 'typebox';
import { jobExample } from './job-operations.ts';
import { operation } from './operation.ts';
import { pageOf, pageQuery, tenantQuery } from './page.ts';
import { Artifact, Trace, TraceStep } from './trace.ts';

const trace = {
  trace_id: jobExample.trace_id,
  tenant_id: jobExample.tenant_id,
  job_id: jobExample.job_id,
  workflow_id: jobExample.workflow_id,
  final_status: null,
  run: 1,
  input_refs: jobExample.input_refs,
  created_at: jobExample.created_at,
};

const step = {
  step_id: 'stp_06ays3w8jrv2k7d1m5q9x4t0zj',
  trace_id: trace.trace_id,
  job_id: trace.job_id,
  tenant_id: trace.tenant_id,
  step_type: 'guardrail_check',
  status: 'succeeded',
  error_code: null,
  guardrail_result: 'passed',
  started_at: '2026-03-02T09:16:01.102Z',
  finished_at: '2026-03-02T09:16:01.109Z',
  run: 1,
};

const artifact = {
  artifact_id: 'art_06ays3w8jrv2k7d1m5q9x4t0zk',
  tenant_id: trace.tenant_id,
  job_id: trace.job_id,
  trace_id: trace.trace_id,
  step_id: 'stp_06ays3w8jrv2k7d1m5q9x4t0zm',
  kind: 'triage_report',
  media_type: 'text/markdown',
  size_bytes: 40,
  sha256: 'c70b021333155b69d7383e7f6e4134c9b3117f983aad6f94c23c526a2fdfaed1',
  created_at: '2026-03-02T09:16:01.120Z',
  content: '# Triage: phishing on device dev_pixel-8',
};

const stepAnswers = {
  200: {
    description: 'A page of steps.',
    schema: pageOf('TraceStepPage', TraceStep, {}),
    example: { data: [step], has_more: false, next_cursor: null },
  },
} as const;

export const listJobSteps = operation({
  operationId: 'listJobSteps',
  method: 'GET',
  path: '/jobs/{id}/steps',
  tag: 'jobs',
  summary: 'List the steps of a job',
  description: 'Of all its runs, the last one first, and within a run from its end.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery({}),
  answers: stepAnswers,
});

export const listJobArtifacts = operation({
  operationId: 'listJobArtifacts',
  method: 'GET',
  path: '/jobs/{id}/artifacts',
  tag: 'jobs',
  summary: 'List the artifacts of a job',
  description: 'Of all its runs, newest first. They are there when the job waits for review.',
  scope: 'jobs:read',
  id: 'job',
  query: pageQuery({}),
  answers: {
    200: {
      description: 'A page of artifacts.',
      schema: pageOf('ArtifactPage', Artifact, {}),
      example: { data: [artifact], has_more: false, next_cursor: null },
    },
  },
});

export const getArtifact = operation({
  operationId: 'getArtifact',
  method: 'GET',
  path: '/artifacts/{id}',
  tag: 'jobs',
  summary: 'Read one artifact',
  scope: 'jobs:read',
  id: 'artifact',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  answers: { 200: { description: 'The artifact with its content.', schema: Artifact, example: artifact } },
});

export const getTrace = operation({
  operationId: 'getTrace',
  method: 'GET',
  path: '/traces/{id}',
  tag: 'jobs',
  summary: 'Read one trace',
  scope: 'jobs:read',
  id: 'trace',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  answers: { 200: { description: 'The run.', schema: Trace, example: trace } },
});

export const listTraceSteps = operation({
  operationId: 'listTraceSteps',
  method: 'GET',
  path: '/traces/{id}/steps',
  tag: 'jobs',
  summary: 'List the steps of a trace',
  description: 'From the last to the first.',
  scope: 'jobs:read',
  id: 'trace',
  query: pageQuery({}),
  answers: stepAnswers,
});

export const traceOperations = [
  listJobSteps,
  listJobArtifacts,
  getArtifact,
  getTrace,
  listTraceSteps,
] as const;
