/** How long a tenant's data of a class is kept, where that differs from the service's own setting. */
export interface RetentionOverridesTable {
  tenant_id: string;
  data_class: string;
  days: number;
}
