/** Jobs, and the queue of those with a step to run. */
export interface JobsTable {
  tenant_id: string;
  job_id: string;
  workflow_id: string;
  status: string;
  /** The trace of the current run. */
  trace_id: string;
  /** JSON array. */
  input_refs: string;
  /** JSON array, oldest first. */
  artifact_refs: string;
  max_runs: number;
  run_count: number;
  /** The next step; null while the job waits for a review and after it ended. */
  next_step: string | null;
  /** JSON of the decision that `apply_decision` will apply. */
  review: string | null;
  reviewed_by: string | null;
  error_code: string | null;
  /** The incident for which the job started automatically: one job per incident. */
  subject_id: string | null;
  created_at: number;
  created_by: string;
  updated_at: number;
  version: number;
  /** When it may be claimed or, while a process runs it, the end of the lease. Null if it has no step to run. */
  due_at: number | null;
  leased_by: string | null;
  /** Number of claims. Distinguishes leases. */
  claims: number;
  /** Claims since the last completed step. A job that crashes the process each time fails. */
  fruitless_claims: number;
}
