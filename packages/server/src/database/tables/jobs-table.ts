/** Triages, and the queue of those that have something to do. */
export interface JobsTable {
  tenant_id: string;
  job_id: string;
  workflow_id: string;
  status: string;
  /** Of the present run. */
  trace_id: string;
  /** JSON array. */
  input_refs: string;
  /** JSON array, oldest first. */
  artifact_refs: string;
  max_runs: number;
  run_count: number;
  /** The step to do next; null while it waits for a review and when it is over. */
  next_step: string | null;
  /** JSON of the decision that `apply_decision` is to carry out. */
  review: string | null;
  reviewed_by: string | null;
  error_code: string | null;
  /** The incident for which it was begun by itself: one job for each. */
  subject_id: string | null;
  created_at: number;
  created_by: string;
  updated_at: number;
  version: number;
  /** When it may be claimed or, while it is worked on, the end of the lease. Null when there is nothing to do. */
  due_at: number | null;
  leased_by: string | null;
  /** How often it was claimed: tells leases apart. */
  claims: number;
  /** Claims since a step was last finished: a job that ends the process each time is given up. */
  fruitless_claims: number;
}
