import type { Event } from '@tps/contract';
import { readJson } from '@tps/contract/json';
import { isAnyOf, isWithin } from '../../platform/list-filters.ts';
import type { FeedFilter } from './feed-store.ts';
import type { TailEntry } from './tail-store.ts';

/** Whether an event passes a filter: what `listSpan` decides in the store. */
export function matchesFilter(entry: TailEntry, filter: FeedFilter): boolean {
  return (
    isWithin(entry.timestampMs, filter.dated) &&
    isWithin(entry.receivedAtMs, filter.received) &&
    isAnyOf(entry.severity, filter.severity) &&
    isAnyOf(entry.category, filter.category) &&
    isAnyOf(entry.deviceId, filter.deviceId) &&
    matchesBody(entry.body, filter)
  );
}

/** Parses the body only for a filter that needs it. */
function matchesBody(body: string, { action, platform, policyId, indicator }: FeedFilter): boolean {
  if (!(action || platform || policyId || indicator)) return true;
  const event = readJson(body) as Event;
  return (
    isAnyOf(event.action_taken, action) &&
    isAnyOf(event.metadata?.device_platform ?? '', platform) &&
    isAnyOf(event.policy_id, policyId) &&
    hasAnyOf(event.indicators ?? [], indicator)
  );
}

function hasAnyOf(values: readonly string[], filter: FeedFilter['indicator']): boolean {
  return filter === undefined || filter.not !== values.some((value) => filter.values.includes(value));
}
