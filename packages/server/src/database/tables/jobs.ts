import { HISTORY, ONLY_HERE, PASSING, table, tablesOf } from './table.ts';

export const JOBS_TABLES = tablesOf('jobs', {
  /** Jobs, and the queue of those with a step to run. */
  jobs: table({
    key: ['tenant_id', 'job_id'],
    columns: {
      tenant_id: 'text',
      job_id: 'text',
      workflow_id: 'text',
      status: 'text',
      /** The trace of the current run. */
      trace_id: 'text',
      /** JSON array. */
      input_refs: 'json',
      /** JSON array, oldest first. */
      artifact_refs: 'json',
      max_runs: 'integer',
      run_count: 'integer',
      /** The next step; null while the job waits for a review and after it ended. */
      next_step: 'text or null',
      /** JSON of the decision that `apply_decision` will apply. */
      review: 'json or null',
      reviewed_by: 'text or null',
      error_code: 'text or null',
      /** The incident for which the job started automatically: one job per incident. */
      subject_id: 'text or null',
      created_at: 'time',
      created_by: 'text',
      updated_at: 'time',
      version: 'integer',
      /** When it may be claimed or, while a process runs it, the end of the lease. Null if it has no step to run. */
      due_at: 'time or null',
      leased_by: 'text or null',
      /** Number of claims. Distinguishes leases. */
      claims: 'integer',
      /** Claims since the last completed step. A job that crashes the process each time fails. */
      fruitless_claims: 'integer',
    },
    verify: {
      compared: {
        'the runs of the job': ['tenant_id', 'job_id'],
        'the artifacts': ['artifact_refs'],
      },
      notCompared: {
        [PASSING]: [
          'status',
          'trace_id',
          'max_runs',
          'run_count',
          'next_step',
          'review',
          'reviewed_by',
          'error_code',
          'updated_at',
          'version',
          'due_at',
          'leased_by',
          'claims',
          'fruitless_claims',
        ],
        [ONLY_HERE]: ['workflow_id', 'input_refs', 'subject_id', 'created_at', 'created_by'],
      },
    },
    creator: { stays: 'changes nothing before a review by another request' },
  }),
  /** What each job has as an input, for finding the jobs of an incident. */
  job_inputs: table({
    key: ['tenant_id', 'job_id', 'input_ref'],
    columns: {
      tenant_id: 'text',
      job_id: 'text',
      input_ref: 'text',
    },
    verify: {
      notCompared: ONLY_HERE,
      missingRows: ONLY_HERE,
    },
    creator: HISTORY,
  }),
  /** Runs of jobs. */
  traces: table({
    key: ['tenant_id', 'trace_id'],
    columns: {
      tenant_id: 'text',
      trace_id: 'text',
      job_id: 'text',
      run: 'integer',
      /** JSON array of the inputs of this run. */
      input_refs: 'json',
      /** Null until the job ends. */
      final_status: 'text or null',
      created_at: 'time',
    },
    verify: {
      compared: {
        'the job and the steps of the run': ['tenant_id', 'trace_id', 'job_id'],
      },
      notCompared: ONLY_HERE,
    },
  }),
  /** Steps of runs, created when the run starts and updated as it proceeds. */
  trace_steps: table({
    key: ['tenant_id', 'trace_id', 'step_id'],
    columns: {
      tenant_id: 'text',
      trace_id: 'text',
      /** Sorts by run, then by the order of the steps. */
      step_id: 'text',
      job_id: 'text',
      run: 'integer',
      step_type: 'text',
      status: 'text',
      error_code: 'text or null',
      guardrail_result: 'text',
      started_at: 'time or null',
      finished_at: 'time or null',
      /** JSON of the output that later steps use. */
      output: 'json or null',
    },
    verify: {
      compared: {
        'the run of the step': ['tenant_id', 'trace_id', 'job_id'],
      },
      notCompared: ONLY_HERE,
      missingRows: ONLY_HERE,
    },
  }),
  /** Results that runs published. Rows never change. */
  artifacts: table({
    key: ['tenant_id', 'artifact_id'],
    columns: {
      tenant_id: 'text',
      artifact_id: 'text',
      job_id: 'text',
      trace_id: 'text',
      step_id: 'text',
      kind: 'text',
      media_type: 'text',
      size_bytes: 'integer',
      /** Lower-case hex SHA-256 of `content` in UTF-8. */
      sha256: 'text',
      created_at: 'time',
      content: 'text',
    },
    verify: {
      compared: {
        'the digest of the content': ['sha256', 'size_bytes', 'content'],
        'the job, the run and the step': ['tenant_id', 'artifact_id', 'job_id', 'trace_id', 'step_id'],
      },
      notCompared: ONLY_HERE,
    },
  }),
});
