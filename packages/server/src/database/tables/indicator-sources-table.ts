/** Where indicators come from, and how far the import of each source has come. */
export interface IndicatorSourcesTable {
  tenant_id: string;
  source: string;
  /** The newest import, which alone may go on; null once the source was removed. */
  import_id: string | null;
  import_number: number;
  /** Indicators of imports before this are removed, at once for whoever reads, from the table a little later. */
  kept_since: number;
  /** The table has none from before this. */
  swept_before: number;
  /** How many indicators the newest import has named. */
  imported: number;
  /** How many there are. */
  indicators: number;
  updated_at: number;
}
