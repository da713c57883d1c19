/** Runs of jobs. */
export interface TracesTable {
  tenant_id: string;
  trace_id: string;
  job_id: string;
  run: number;
  /** JSON array of the inputs of this run. */
  input_refs: string;
  /** Null until the job ends. */
  final_status: string | null;
  created_at: number;
}
