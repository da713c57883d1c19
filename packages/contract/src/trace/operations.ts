import { Type } from 'typebox';
import { TRIAGE_WORKFLOW } from '../job/schema.ts';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { Trace, TraceStep } from './schema.ts';

export const traceExample = {
  trace_id: 'trc_06ays3w8jrv2k7d1m5q9x4t0zh',
  tenant_id: 'tnt_example',
  job_id: 'job_06ays3w8jrv2k7d1m5q9x4t0zg',
  workflow_id: TRIAGE_WORKFLOW,
  final_status: null,
  run: 1,
  input_refs: ['inc_06ays3w8jrv2k7d1m5q9x4t0ze'],
  created_at: '2026-03-02T09:16:01.004Z',
};

const step = {
  step_id: 'stp_06ays3w8jrv2k7d1m5q9x4t0zj',
  trace_id: traceExample.trace_id,
  job_id: traceExample.job_id,
  tenant_id: traceExample.tenant_id,
  step_type: 'guardrail_check',
  status: 'succeeded',
  error_code: null,
  guardrail_result: 'passed',
  started_at: '2026-03-02T09:16:01.102Z',
  finished_at: '2026-03-02T09:16:01.109Z',
  run: 1,
};

/** Responses of both lists of steps: those of a trace and those of a job. */
export const stepResponses = {
  200: {
    description: 'A page of steps.',
    schema: pageOf('TraceStepPage', TraceStep, {}),
    example: { data: [step], has_more: false, next_cursor: null },
  },
} as const;

export const getTrace = operation({
  operationId: 'getTrace',
  method: 'GET',
  path: '/traces/{id}',
  tag: 'jobs',
  summary: 'Read one trace',
  scope: 'jobs:read',
  id: 'trace',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The trace.', schema: Trace, example: traceExample } },
});

export const listTraceSteps = operation({
  operationId: 'listTraceSteps',
  method: 'GET',
  path: '/traces/{id}/steps',
  tag: 'jobs',
  summary: 'List the steps of a trace',
  description: 'The last step first.',
  scope: 'jobs:read',
  id: 'trace',
  query: pageQuery({}),
  responses: stepResponses,
});

export const traceOperations = [getTrace, listTraceSteps] as const;
