import type { IncidentCategory } from '@tps/contract';

/** The upper bounds of the histograms of times, in a form that is part of a column's name. */
export type DurationClass = '5m' | '15m' | '1h' | '4h' | '1d' | '3d' | '7d' | 'longer';

export type IncidentStatisticsColumn =
  | `opened_${IncidentCategory}`
  | `resolved_${IncidentCategory}`
  /** Incidents by the time from opening to the first acknowledgement or resolution. */
  | `acknowledged_in_${DurationClass}`
  | `resolved_in_${DurationClass}`
  /** The sums of these times. */
  | 'acknowledge_ms'
  | 'resolve_ms';

/** Counts of the incidents that were opened, acknowledged or resolved in an hour. Written under the feed's lock. */
export type IncidentStatisticsTable = { tenant_id: string /** Its start. */; hour: number } & Record<
  IncidentStatisticsColumn,
  number
>;
