import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';
import { STEP_TYPES } from '../schema/vocabulary.ts';

export const StepType = stringEnum(STEP_TYPES, 'Type of the step.');
export type StepType = Static<typeof StepType>;

export const STEP_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'] as const;
export const StepStatus = stringEnum(STEP_STATUSES, 'Status of the step.');
export type StepStatus = Static<typeof StepStatus>;

export const GUARDRAIL_RESULTS = ['passed', 'flagged', 'blocked', 'not_applicable'] as const;
export const GuardrailResult = stringEnum(
  GUARDRAIL_RESULTS,
  'Result of the checks of the step. `blocked`: no resolution is recommended; a person must investigate.',
);
export type GuardrailResult = Static<typeof GuardrailResult>;

export const FINAL_STATUSES = ['completed', 'rejected', 'cancelled', 'failed', 'amended'] as const;

/** One run of a job's workflow. */
export const Trace = closed(
  {
    trace_id: idOf('trace'),
    tenant_id: idOf('tenant'),
    job_id: idOf('job'),
    workflow_id: Type.String(),
    final_status: nullable(
      stringEnum(
        FINAL_STATUSES,
        'How the run ended; null until the job ends. `amended`: a later run replaced it.',
      ),
    ),
    run: Type.Integer({ minimum: 1, description: 'Number of the run.' }),
    input_refs: Type.Array(Type.String(), { description: 'Inputs of the run.' }),
    created_at: Timestamp,
  },
  { $id: 'Trace', description: 'One run of a workflow.' },
);
export type Trace = Static<typeof Trace>;

/** One step of a run. */
export const TraceStep = closed(
  {
    step_id: idOf('step'),
    trace_id: idOf('trace'),
    job_id: idOf('job'),
    tenant_id: idOf('tenant'),
    step_type: StepType,
    status: StepStatus,
    error_code: nullable(Type.String({ description: 'Why the step failed; otherwise null.' })),
    guardrail_result: GuardrailResult,
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    run: Type.Integer({ minimum: 1 }),
  },
  { $id: 'TraceStep', description: 'One step of a run. All steps of a run exist from its beginning.' },
);
export type TraceStep = Static<typeof TraceStep>;
