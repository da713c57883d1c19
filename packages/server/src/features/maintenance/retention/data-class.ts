import type { Config } from '../../../platform/config/config.ts';

/** The classes of a tenant's data that have a configurable retention. */
export const DATA_CLASSES = ['events', 'derived', 'jobs', 'audit'] as const;
export type DataClass = (typeof DATA_CLASSES)[number];

/** The same bound as for the settings of the service. */
export const MAX_DAYS = 3650;
const DAY_MS = 86_400_000;

/** Describes each class to operators. */
export const DESCRIPTIONS: Readonly<Record<DataClass, string>> = {
  events: 'events by arrival, with their deliveries and dead letters',
  derived: 'threats, alerts, ended incidents and sightings, after their last change',
  jobs: 'ended jobs with traces, steps and artifacts, and scans',
  audit: 'audit entries',
};

/** How long data of a class is kept, and where that is set. */
export interface Retention {
  readonly days: number;
  readonly setBy: 'service' | 'tenant';
}

/** Returns how long a tenant's data is kept: by its own setting if it has one, otherwise by the service's. */
export function retentionOf(
  config: Config['retention'],
  overrides: ReadonlyMap<DataClass, number>,
): Record<DataClass, Retention> {
  const of = (dataClass: DataClass, days: number): Retention => {
    const own = overrides.get(dataClass);
    return own === undefined ? { days, setBy: 'service' } : { days: own, setBy: 'tenant' };
  };
  return {
    events: of('events', config.eventDays),
    derived: of('derived', config.derivedDays),
    jobs: of('jobs', config.jobDays),
    audit: of('audit', config.auditDays),
  };
}

/** Returns the time before which data has expired. Data of exactly this time is kept. */
export function cutoffOf(days: number, nowMs: number): number {
  return nowMs - days * DAY_MS;
}
