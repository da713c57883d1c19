import { type Static, Type } from 'typebox';
import { type IdNoun, idOf } from '../schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from '../schema/values.ts';
import { ID_PREFIXES, JOB_STATUSES } from '../schema/vocabulary.ts';

/** The only workflow. */
export const TRIAGE_WORKFLOW = 'incident_triage_v1';

export const JobStatus = stringEnum(
  JOB_STATUSES,
  'Status of the job. `queued`, `running` and `waiting_review` are open; `completed`, `rejected`, `cancelled` and `failed` are final.',
);
export type JobStatus = Static<typeof JobStatus>;

/** The nouns that a job can triage. */
export const INPUT_NOUNS = ['incident', 'alert', 'threat', 'event', 'scan'] as const satisfies IdNoun[];
export const MAX_INPUT_REFS = 50;
export const DEFAULT_MAX_RUNS = 3;
export const MAX_RUNS = 10;

const InputRef = Type.String({
  pattern: `^(?:${INPUT_NOUNS.map((noun) => ID_PREFIXES[noun]).join('|')})_[A-Za-z0-9_-]{1,64}$`,
  maxLength: 68,
  description: 'ID of an incident, alert, threat, event or scan of the tenant.',
});
export const InputRefs = Type.Array(InputRef, {
  minItems: 1,
  maxItems: MAX_INPUT_REFS,
  uniqueItems: true,
  description: 'Incidents, alerts, threats, events and scans to triage.',
});
export const MaxRuns = Type.Integer({
  minimum: 1,
  maximum: MAX_RUNS,
  default: DEFAULT_MAX_RUNS,
  description: 'Maximum number of runs: the first one, and one for each amendment.',
});

const WorkflowId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: `\`${TRIAGE_WORKFLOW}\`, the only workflow.`,
});

/** Body of POST /jobs. */
export const NewJob = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    workflow_id: WorkflowId,
    input_refs: InputRefs,
    max_runs: Type.Optional(MaxRuns),
  },
  { $id: 'NewJob', description: 'A job to create.' },
);
export type NewJob = Static<typeof NewJob>;

export const JobCancellation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4000, description: 'Reason, recorded in the audit.' }),
    ),
  },
  { $id: 'JobCancellation' },
);
export type JobCancellation = Static<typeof JobCancellation>;

/** One triage: a workflow over its inputs that ends in a recommendation, which a person reviews. */
export const Job = closed(
  {
    job_id: idOf('job'),
    tenant_id: idOf('tenant'),
    status: JobStatus,
    workflow_id: WorkflowId,
    trace_id: idOf('trace', 'Trace of the current or last run, `trc_<id>`.'),
    artifact_refs: Type.Array(idOf('artifact'), {
      description: 'Artifacts published by its runs, oldest first.',
    }),
    updated_at: Timestamp,
    reviewed_by: nullable(
      Type.String({ description: 'ID of the token that made the last review decision.' }),
    ),
    created_at: Timestamp,
    created_by: Type.String({
      description: '`service` for automatic triage, otherwise the ID of the token.',
    }),
    input_refs: InputRefs,
    max_runs: MaxRuns,
    run_count: Type.Integer({
      minimum: 1,
      maximum: MAX_RUNS,
      description: 'Number of the current or last run.',
    }),
    error_code: nullable(
      Type.String({
        description:
          'Why a `failed` job failed: `input_missing`, `step_timeout`, `step_failed`, `step_abandoned`, `output_too_large`, `incident_changed` or `invalid_state_transition`; otherwise null.',
      }),
    ),
    version: Type.Integer({ minimum: 1, description: 'Increases with each change.' }),
  },
  { $id: 'Job', description: 'A triage and its status.' },
);
export type Job = Static<typeof Job>;

export const REVIEW_DECISIONS = ['approve', 'amend', 'reject', 'cancel'] as const;
export const ReviewDecision = stringEnum(
  REVIEW_DECISIONS,
  '`approve` applies the recommendation; `amend` runs the workflow again; `reject` and `cancel` end the job without applying it.',
);
export type ReviewDecision = Static<typeof ReviewDecision>;

/** What an amendment may change. Any other member is `amendment_not_allowed`. */
export const Amendment = Type.Object(
  { input_refs: Type.Optional(InputRefs), max_runs: Type.Optional(MaxRuns) },
  {
    description:
      'Changes for the next run. `{}` runs it again with the same inputs; only `input_refs` and `max_runs` can change.',
  },
);
export type Amendment = Static<typeof Amendment>;

/** Body of POST /jobs/{id}/review. */
export const Review = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    decision: ReviewDecision,
    comment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: 'Reason, recorded in the audit and in the incident.',
      }),
    ),
    amendment: Type.Optional(Amendment),
  },
  {
    $id: 'Review',
    description:
      'A decision about a recommendation. `amend` requires an `amendment`; the other decisions do not allow one.',
  },
);
export type Review = Static<typeof Review>;
