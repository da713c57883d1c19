/** Sources of indicators, with the progress of each import. */
export interface IndicatorSourcesTable {
  tenant_id: string;
  source: string;
  /** The newest import, the only one that may continue; null after the source was removed. */
  import_id: string | null;
  import_number: number;
  /** Indicators of earlier imports are removed: hidden from readers at once, deleted from the table later. */
  kept_since: number;
  /** Indicators of earlier imports are already deleted from the table. */
  swept_before: number;
  /** The number of indicators in the newest import so far. */
  imported: number;
  /** The number of indicators of this source. */
  indicators: number;
  updated_at: number;
}
