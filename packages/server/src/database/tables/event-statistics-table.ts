import type { Action, Platform, Severity, ThreatCategory } from '@tps/contract';

export type EventStatisticsColumn =
  | `category_${ThreatCategory}`
  | `action_${Action}`
  | `severity_${Severity}`
  | `platform_${Platform | 'unknown'}`
  | 'corrections'
  /** Devices with an event in this hour. */
  | 'devices'
  /** Those of them without an event earlier on the same UTC day: the sum over a day is its number of devices. */
  | 'devices_of_day'
  | `alerts_${ThreatCategory}`;

/** Counts of the events that arrived in an hour, and of the alerts that they opened. Written under the feed's lock. */
export type EventStatisticsTable = { tenant_id: string /** Its start. */; hour: number } & Record<
  EventStatisticsColumn,
  number
>;
