import type { Config } from '../../../platform/config/config.ts';

/** What a tenant's data is divided into, as far as it can be said how long that is kept. */
export const DATA_CLASSES = ['events', 'derived', 'jobs', 'audit'] as const;
export type DataClass = (typeof DATA_CLASSES)[number];

/** As in the settings of the service. */
export const MAX_DAYS = 3650;
const DAY_MS = 86_400_000;

/** What belongs to a class, for people. */
export const DESCRIPTIONS: Readonly<Record<DataClass, string>> = {
  events: 'events by arrival, with their deliveries and dead letters',
  derived: 'threats, alerts, ended incidents and sightings, after their last change',
  jobs: 'ended jobs with traces, steps and artifacts, and scans',
  audit: 'audit entries',
};

/** How long data of a class is kept, and who says so. */
export interface Retention {
  readonly days: number;
  readonly setBy: 'service' | 'tenant';
}

/** Works out how long a tenant's data is kept: its own setting where there is one, the service's otherwise. */
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

/** The moment before which data is removed. What is exactly as old stays. */
export function cutoffOf(days: number, nowMs: number): number {
  return nowMs - days * DAY_MS;
}
