/** `failed`: unsuccessful attempts. `dead`: deliveries that became dead letters. */
export type DeliveryStatisticsColumn = 'delivered' | 'failed' | 'dead';

/** Counts of the attempts to deliver that ended in an hour. */
export type DeliveryStatisticsTable = { tenant_id: string /** Its start. */; hour: number } & Record<
  DeliveryStatisticsColumn,
  number
>;
