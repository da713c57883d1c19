/** One row for each tenant with indicators, and one for those of all tenants. Locked by whoever changes any of them. */
export interface IndicatorHeadsTable {
  tenant_id: string;
  /** Goes up with each change, at least to its time in milliseconds. */
  version: number;
  /** How many there are, of all sources. */
  indicators: number;
}
