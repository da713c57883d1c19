/** Results of scans. The scanned content is not stored. */
export interface ScansTable {
  tenant_id: string;
  scan_id: string;
  /** JSON of the response. */
  result: string;
  created_at: number;
}
