/** What remains of statistics after 24 months: counts of a UTC day over all tenants. */
export interface ServiceStatisticsTable {
  /** Its start. */
  day: number;
  /** Table and column of the former count, such as `event.category_phishing`. */
  name: string;
  count: number;
}
