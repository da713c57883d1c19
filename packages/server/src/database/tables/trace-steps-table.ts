/** Steps of runs, created when the run starts and updated as it proceeds. */
export interface TraceStepsTable {
  tenant_id: string;
  trace_id: string;
  /** Sorts by run, then by the order of the steps. */
  step_id: string;
  job_id: string;
  run: number;
  step_type: string;
  status: string;
  error_code: string | null;
  guardrail_result: string;
  started_at: number | null;
  finished_at: number | null;
  /** JSON of the output that later steps use. */
  output: string | null;
}
