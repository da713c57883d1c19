/** Results of scans. What was scanned is not here. */
export interface ScansTable {
  tenant_id: string;
  scan_id: string;
  /** JSON of the answer. */
  result: string;
  created_at: number;
}
