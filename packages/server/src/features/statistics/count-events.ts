import type { Action, Platform, Severity, ThreatCategory } from '@tps/contract';
import type { Counts } from './statistics-columns.ts';
import { dayOf, hourOf } from './statistics-hour.ts';

/** What is counted of a new event of the feed. */
export interface CountedEvent {
  readonly deviceId: string;
  readonly category: ThreatCategory;
  readonly action: Action;
  readonly severity: Severity;
  /** As the event states it. */
  readonly platform: Platform | undefined;
  readonly isCorrection: boolean;
}

/**
 * Counts new events that arrived at one time. A device is active in an hour from its first event; `lastEventAtMs` has the
 * arrival of each device's event before these. Pure.
 */
export function countEvents(
  events: readonly CountedEvent[],
  { atMs, lastEventAtMs }: { atMs: number; lastEventAtMs: (deviceId: string) => number | null },
): Counts<'event_statistics'> {
  const counts: Counts<'event_statistics'> = {};
  const add = (column: keyof Counts<'event_statistics'>) => {
    counts[column] = (counts[column] ?? 0) + 1;
  };
  const deviceIds = new Set<string>();
  for (const { deviceId, category, action, severity, platform, isCorrection } of events) {
    add(`category_${category}`);
    add(`action_${action}`);
    add(`severity_${severity}`);
    add(`platform_${platform ?? 'unknown'}`);
    if (isCorrection) add('corrections');
    deviceIds.add(deviceId);
  }
  for (const deviceId of deviceIds) {
    const beforeMs = lastEventAtMs(deviceId) ?? Number.NEGATIVE_INFINITY;
    if (beforeMs < hourOf(atMs)) add('devices');
    if (beforeMs < dayOf(atMs)) add('devices_of_day');
  }
  return counts;
}
