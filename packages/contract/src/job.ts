import { type Static, Type } from 'typebox';
import { ID_PREFIXES, type IdNoun, idOf } from './schema/identifiers.ts';
import { closed, nullable, stringEnum, Timestamp } from './schema/values.ts';

/** The only workflow there is. */
export const TRIAGE_WORKFLOW = 'incident_triage_v1';

export const JOB_STATUSES = [
  'queued',
  'running',
  'waiting_review',
  'completed',
  'rejected',
  'cancelled',
  'failed',
] as const;
export const JobStatus = stringEnum(
  JOB_STATUSES,
  'Where the job is: `queued`, `running`, `waiting_review`, or over as `completed`, `rejected`, `cancelled` or `failed`.',
);
export type JobStatus = Static<typeof JobStatus>;

/** What a job can be about. */
export const INPUT_NOUNS = ['incident', 'alert', 'threat', 'event', 'scan'] as const satisfies IdNoun[];
export const MAX_INPUT_REFS = 50;
export const DEFAULT_MAX_RUNS = 3;
export const MAX_RUNS = 10;

const InputRef = Type.String({
  pattern: `^(?:${INPUT_NOUNS.map((noun) => ID_PREFIXES[noun]).join('|')})_[A-Za-z0-9_-]{1,64}$`,
  description: 'Id of an incident, alert, threat, event or scan of the tenant.',
});
export const InputRefs = Type.Array(InputRef, {
  minItems: 1,
  maxItems: MAX_INPUT_REFS,
  uniqueItems: true,
  description: 'What the job is about.',
});
export const MaxRuns = Type.Integer({
  minimum: 1,
  maximum: MAX_RUNS,
  default: DEFAULT_MAX_RUNS,
  description: 'How often the workflow may run in all: the first time, and once for each amendment.',
});

const WorkflowId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: `\`${TRIAGE_WORKFLOW}\`, the only workflow there is.`,
});

/** Body of POST /jobs. */
export const NewJob = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    workflow_id: WorkflowId,
    input_refs: InputRefs,
    max_runs: Type.Optional(MaxRuns),
  },
  { $id: 'NewJob', description: 'What to triage.' },
);
export type NewJob = Static<typeof NewJob>;

export const JobCancellation = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4000, description: 'Why, for the audit.' }),
    ),
  },
  { $id: 'JobCancellation' },
);
export type JobCancellation = Static<typeof JobCancellation>;

/** One triage: a workflow over its inputs, which ends in a recommendation that a person reviews. */
export const Job = closed(
  {
    job_id: idOf('job'),
    tenant_id: idOf('tenant'),
    status: JobStatus,
    workflow_id: WorkflowId,
    trace_id: idOf('trace', 'Trace of the present run, or of the last one.'),
    artifact_refs: Type.Array(idOf('artifact'), {
      description: 'What its runs have published, oldest first.',
    }),
    updated_at: Timestamp,
    reviewed_by: nullable(Type.String({ description: 'Token that made the last review decision.' })),
    created_at: Timestamp,
    created_by: Type.String({ description: '`service` for automatic triage, else the token.' }),
    input_refs: InputRefs,
    max_runs: MaxRuns,
    run_count: Type.Integer({ minimum: 1, maximum: MAX_RUNS, description: 'Which run this is.' }),
    error_code: nullable(Type.String({ description: 'Why it failed; null unless it did.' })),
    version: Type.Integer({ minimum: 1, description: 'Rises with each change.' }),
  },
  { $id: 'Job', description: 'A triage and where it is. Tenant-scoped.' },
);
export type Job = Static<typeof Job>;

export const DECISIONS = ['approve', 'amend', 'reject', 'cancel'] as const;
export const ReviewDecision = stringEnum(
  DECISIONS,
  '`approve` applies the recommendation; `amend` runs the workflow again; `reject` and `cancel` end the job.',
);
export type ReviewDecision = Static<typeof ReviewDecision>;

/** What an amendment may change. Anything else in it is refused as `amendment_not_allowed`. */
export const Amendment = Type.Object(
  { input_refs: Type.Optional(InputRefs), max_runs: Type.Optional(MaxRuns) },
  { description: 'New inputs for the next run. What is left out stays; `input_refs` and `max_runs` only.' },
);
export type Amendment = Static<typeof Amendment>;

/** Body of POST /jobs/{id}/review. */
export const Review = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    decision: ReviewDecision,
    comment: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4000, description: 'Why, for the audit and the incident.' }),
    ),
    amendment: Type.Optional(Amendment),
  },
  {
    $id: 'Review',
    description: 'A decision about a recommendation. `amendment` goes with `amend`, always and only.',
  },
);
export type Review = Static<typeof Review>;
