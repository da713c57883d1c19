/** Indicators of threats, as a source states them. Indicators for all tenants have no tenant. */
export interface IndicatorsTable {
  tenant_id: string;
  source: string;
  type: string;
  /** SHA-256 of the canonical value, the key for lookups. */
  digest: Uint8Array;
  value: string;
  category: string;
  threat_type: string;
  confidence: number;
  label: string | null;
  dual_use: number;
  valid_from: number | null;
  valid_until: number | null;
  /** The import that named it last. One from before its source's `kept_since` counts as removed. */
  import_number: number;
}
