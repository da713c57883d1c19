/** Retention of a tenant's data classes that differ from the service's setting. */
export interface RetentionOverridesTable {
  tenant_id: string;
  data_class: string;
  days: number;
}
