import type { Action } from '@tps/contract';

export type ScanStatisticsColumn = `verdict_${Action}`;

/** Counts of the scans of an hour. */
export type ScanStatisticsTable = { tenant_id: string /** Its start. */; hour: number } & Record<
  ScanStatisticsColumn,
  number
>;
