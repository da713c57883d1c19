/** One row per tenant with indicators, and one for the indicators of all tenants. Each change of indicators locks it. */
export interface IndicatorHeadsTable {
  tenant_id: string;
  /** Increases with each change, at least to the time of the change in milliseconds. */
  version: number;
  /** The number of indicators from all sources. */
  indicators: number;
}
