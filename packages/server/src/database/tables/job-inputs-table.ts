/** What each job has as an input, for finding the jobs of an incident. */
export interface JobInputsTable {
  tenant_id: string;
  job_id: string;
  input_ref: string;
}
