/** Results that runs published. Rows never change. */
export interface ArtifactsTable {
  tenant_id: string;
  artifact_id: string;
  job_id: string;
  trace_id: string;
  step_id: string;
  kind: string;
  media_type: string;
  size_bytes: number;
  /** Lower-case hex SHA-256 of `content` in UTF-8. */
  sha256: string;
  created_at: number;
  content: string;
}
