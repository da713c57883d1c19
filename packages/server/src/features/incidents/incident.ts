import type {
  Incident,
  IncidentCategory,
  IncidentChange,
  IncidentStatus,
  Resolution,
  Severity,
  TimelineEntry,
} from '@tps/contract';
import { INCIDENT_MOVES } from '@tps/contract/incident-lifecycle';
import { ID_PREFIXES } from '@tps/contract/vocabulary';
import { derivedId } from '../../platform/identifiers.ts';
import { toOptionalTimestamp, toTimestamp } from '../../platform/time.ts';
import { type FeedEvent, maxSeverity } from '../feed/index.ts';

export interface IncidentRecord {
  readonly incidentId: string;
  readonly category: IncidentCategory;
  /** The key that events must share to belong to it: the device or, for a campaign, the indicator's correlation key. */
  readonly correlationKey: string;
  readonly severity: Severity;
  readonly status: IncidentStatus;
  readonly message: string;
  readonly resolution: Resolution | null;
  readonly assignee: string | null;
  readonly tags: readonly string[];
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly lastEventAtMs: number;
  /** When a person first assigned it or changed its status. */
  readonly acknowledgedAtMs: number | null;
  /** When it was last resolved or closed. A node of an older version does not set it, nor remove it when it reopens one. */
  readonly resolvedAtMs: number | null;
  /** When it was resolved or closed for the first time. Kept when it is opened again. */
  readonly firstResolvedAtMs: number | null;
}

export type MemberKind = 'alert' | 'threat' | 'device';

/** Something that belongs to an incident. */
export interface IncidentMember {
  readonly incidentId: string;
  readonly kind: MemberKind;
  readonly memberId: string;
}

/** A timeline entry, as stored. */
export interface TimelineRecord {
  readonly incidentId: string;
  /** Sorts by time. */
  readonly entryId: string;
  readonly atMs: number;
  readonly kind: TimelineEntry['kind'];
  readonly actor: string;
  readonly message: string;
  readonly comment?: string | null;
}

/** What a response shows beside the incident's own row. */
export interface IncidentDetails {
  readonly deviceIds: readonly string[];
  readonly alertIds: readonly string[];
  readonly threatIds: readonly string[];
  readonly timeline: readonly TimelineEntry[];
  readonly assigneeName: string | null;
}

export interface IncidentSubject {
  readonly category: IncidentCategory;
  readonly correlationKey: string;
  readonly severity: Severity;
  readonly message: string;
}

export function isUnresolved({ status }: Pick<IncidentRecord, 'status'>): boolean {
  return status !== 'resolved' && status !== 'closed';
}

/** Returns when a change of status resolved the incident: now, as before, or not at all. */
export function resolvedAt(
  before: Pick<IncidentRecord, 'status' | 'resolvedAtMs'>,
  after: Pick<IncidentRecord, 'status'>,
  nowMs: number,
): number | null {
  if (isUnresolved(after)) return null;
  return isUnresolved(before) ? nowMs : before.resolvedAtMs;
}

/** Describes a change of status for a person. */
export function describeStatus(
  before: Pick<IncidentRecord, 'status'>,
  after: Pick<IncidentRecord, 'status' | 'resolution'>,
): string {
  const as = after.resolution === null ? '' : ` as ${after.resolution}`;
  return `Status from ${before.status} to ${after.status}${as}`;
}

/** What the audit entry of a change says that has only a comment. */
export const COMMENT_ADDED = 'Comment added';

/** Returns the tags after a change, without duplicates. */
export function mergeTags(
  before: readonly string[],
  { tags = [...before], add_tags: added = [], remove_tags: removed = [] }: IncidentChange,
): string[] {
  return [...new Set([...tags.filter((tag) => !removed.includes(tag)), ...added])];
}

/** Creates the incident that an event opens. The same event creates the same incident, id included. */
export function openIncident(event: FeedEvent, subject: IncidentSubject): IncidentRecord {
  const { category, correlationKey } = subject;
  return {
    ...subject,
    incidentId: derivedId(ID_PREFIXES.incident, {
      atMs: event.receivedAtMs,
      order: event.position,
      seed: `incident ${event.tenantId} ${event.eventId} ${category} ${correlationKey}`,
    }),
    status: 'open',
    resolution: null,
    assignee: null,
    tags: [],
    version: 1,
    createdAtMs: event.receivedAtMs,
    updatedAtMs: event.receivedAtMs,
    lastEventAtMs: event.decidedAtMs,
    acknowledgedAtMs: null,
    resolvedAtMs: null,
    firstResolvedAtMs: null,
  };
}

/** Whether an event about the incident's subject may join it. */
export function canJoinIncident(incident: IncidentRecord, event: FeedEvent, gapMs: number): boolean {
  return isUnresolved(incident) && Math.abs(event.decidedAtMs - incident.lastEventAtMs) <= gapMs;
}

export function joinIncident(incident: IncidentRecord, event: FeedEvent): IncidentRecord {
  return {
    ...incident,
    severity: maxSeverity(incident.severity, event.severity),
    version: incident.version + 1,
    updatedAtMs: event.receivedAtMs,
    lastEventAtMs: Math.max(incident.lastEventAtMs, event.decidedAtMs),
  };
}

/** Creates the service's own timeline entry for an event that opens an incident or is corrected. */
export function timelineEntryOf(
  incidentId: string,
  event: FeedEvent,
  { kind, message }: { kind: 'opened' | 'correction'; message: string },
): TimelineRecord {
  return {
    incidentId,
    entryId: derivedId('itl', {
      atMs: event.receivedAtMs,
      order: event.position,
      seed: `${kind} ${incidentId} ${event.eventId}`,
    }),
    atMs: event.receivedAtMs,
    kind,
    actor: 'service',
    message,
  };
}

export function toIncident(incident: IncidentRecord, tenantId: string, details: IncidentDetails): Incident {
  return {
    id: incident.incidentId,
    tenant_id: tenantId,
    category: incident.category,
    severity: incident.severity,
    status: incident.status,
    message: incident.message,
    created_at: toTimestamp(incident.createdAtMs),
    updated_at: toTimestamp(incident.updatedAtMs),
    resolution: incident.resolution,
    assignee: incident.assignee,
    assignee_name: details.assigneeName,
    acknowledged_at: toOptionalTimestamp(incident.acknowledgedAtMs),
    resolved_at: isUnresolved(incident) ? null : toOptionalTimestamp(incident.resolvedAtMs),
    allowed_moves: INCIDENT_MOVES[incident.status].map((move) => ({
      ...move,
      resolutions: [...move.resolutions],
    })),
    tags: [...incident.tags],
    device_ids: [...details.deviceIds],
    alert_ids: [...details.alertIds],
    threat_ids: [...details.threatIds],
    version: incident.version,
    timeline: [...details.timeline],
  };
}
