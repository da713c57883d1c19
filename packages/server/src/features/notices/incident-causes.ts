import type { IncidentStatus, Resolution, Severity } from '@tps/contract';
import { rankOf } from './channels/notice-channel.ts';
import type { NewCause } from './enqueue-notices.ts';

/** The part of an incident that notices are about. */
interface NotedIncident {
  readonly incidentId: string;
  readonly severity: Severity;
  readonly status: IncidentStatus;
  readonly resolution: Resolution | null;
  readonly message: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** An incident before and after a transaction; `before` is undefined for a new one. */
export interface NotedChange {
  readonly before: NotedIncident | undefined;
  readonly after: NotedIncident;
}

/** One transaction can open hundreds of incidents. The others are only counted, so that it stays short. */
const MAX_CAUSES = 20;

/** Returns what changes of incidents mean for notices. Most changes mean nothing. */
export function toIncidentCauses(changes: readonly NotedChange[]): NewCause[] {
  const opened = changes.flatMap(toOpened);
  const resolved = changes.flatMap(toResolved);
  return [...bounded(opened, 'more incidents'), ...bounded(resolved, 'more incidents resolved')];
}

function toOpened({ before, after }: NotedChange): NewCause[] {
  if (isOver(after)) return [];
  const isReopened = before !== undefined && isOver(before);
  const isRaised = before !== undefined && rankOf(after.severity) > rankOf(before.severity);
  if (before !== undefined && !isReopened && !isRaised) return [];
  const prefix = openedKey(after.incidentId);
  const about = {
    cause: 'incident_opened',
    severity: after.severity,
    resourceId: after.incidentId,
    happenedAtMs: before === undefined ? after.createdAtMs : after.updatedAtMs,
  } as const;
  if (before === undefined)
    return [{ ...about, key: `${prefix}${after.createdAtMs}`, message: after.message }];
  if (isReopened) {
    const message = `${after.message} (opened again)`;
    return [{ ...about, key: `${prefix}${after.updatedAtMs}`, message, isLaterNews: true }];
  }
  // One notice for each severity, however often the severity changes back and forth.
  const message = `${after.message} (raised from ${before.severity} to ${after.severity})`;
  return [
    { ...about, key: `${prefix}raised ${after.severity}`, raisesKey: prefix, message, isLaterNews: true },
  ];
}

function toResolved({ before, after }: NotedChange): NewCause[] {
  if (before === undefined || isOver(before) || !isOver(after)) return [];
  return [
    {
      cause: 'incident_resolved',
      key: `resolved ${after.incidentId} ${after.updatedAtMs}`,
      endsKey: openedKey(after.incidentId),
      severity: after.severity,
      resourceId: after.incidentId,
      message: `${after.message}, resolved as ${(after.resolution ?? 'inconclusive').replaceAll('_', ' ')}`,
      happenedAtMs: after.updatedAtMs,
    },
  ];
}

/** Joins what is too much for single notices into one for each severity, for all channels that want this severity. */
function bounded(causes: readonly NewCause[], what: string): NewCause[] {
  const single = causes.slice(0, MAX_CAUSES);
  const rest = causes.slice(MAX_CAUSES);
  const severities = [...new Set(rest.map(({ severity }) => severity))];
  const joined = severities.flatMap((severity): NewCause[] => {
    const same = rest.filter((cause) => cause.severity === severity);
    const [first] = same;
    if (!first) return [];
    const { cause, key, happenedAtMs } = first;
    const message = `${same.length} ${what} of severity ${severity}`;
    return [{ cause, key: `more ${key}`, severity, resourceId: null, message, happenedAtMs }];
  });
  return [...single, ...joined];
}

function openedKey(incidentId: string): string {
  return `opened ${incidentId} `;
}

function isOver({ status }: NotedIncident): boolean {
  return status === 'resolved' || status === 'closed';
}
