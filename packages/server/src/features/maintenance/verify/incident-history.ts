import type { IncidentChange } from '@tps/contract';
import type { Row } from '../../../database/tables/index.ts';
import { COMMENT_ADDED, mergeTags } from '../../incidents/index.ts';

type Entry = Row<'audit_entries'>;
type Fields = IncidentChange & { readonly version?: number; readonly event_id?: string };

/** A change by a person, as the audit log has it. */
export interface RecordedChange {
  readonly actor: string;
  /** As in the timeline. */
  readonly message: string;
  readonly comment: string | null;
  readonly atMs: number;
}

/** What the audit log says about an incident. Undefined is what no entry has set. */
export interface IncidentHistory {
  readonly status: string | undefined;
  readonly resolution: string | null | undefined;
  readonly assignee: string | null | undefined;
  readonly tags: readonly string[];
  readonly version: number;
  /** The severities that people have set, oldest first. */
  readonly severities: readonly string[];
  readonly wasEnded: boolean;
  readonly changes: readonly RecordedChange[];
  /** How corrections changed the status, by the event. */
  readonly corrected: ReadonlyMap<string, string>;
}

const STATUS = /^Status from \w+ to (\w+)(?: as (\w+))?/;

/** Folds the audit entries of one incident, oldest first. */
export function toHistory(entries: readonly Entry[]): IncidentHistory {
  let status: string | undefined;
  let resolution: string | null | undefined;
  let assignee: string | null | undefined;
  let tags: string[] = [];
  let version = 0;
  let wasEnded = false;
  const severities: string[] = [];
  const changes: RecordedChange[] = [];
  const corrected = new Map<string, string>();
  for (const entry of entries) {
    const fields = JSON.parse(entry.fields) as Fields;
    const moved = STATUS.exec(entry.detail);
    if (moved) {
      status = moved[1];
      resolution = moved[2] ?? null;
      wasEnded ||= status === 'resolved' || status === 'closed';
    }
    version = Math.max(version, fields.version ?? 0);
    if (entry.actor_type === 'service') {
      if (fields.event_id !== undefined && moved) corrected.set(fields.event_id, moved[0]);
      continue;
    }
    if (fields.severity !== undefined) severities.push(fields.severity);
    if (fields.assignee !== undefined) assignee = fields.assignee;
    tags = mergeTags(tags, fields);
    changes.push(toChange(entry, fields.comment ?? null));
  }
  return { status, resolution, assignee, tags, version, severities, wasEnded, changes, corrected };
}

function toChange({ actor_id: actor, detail, occurred_at: atMs }: Entry, comment: string | null) {
  const parts = [
    ...(detail === COMMENT_ADDED ? [] : [detail]),
    ...(comment === null ? [] : [`Comment: ${comment}`]),
  ];
  return { actor, message: parts.join('; '), comment, atMs };
}

/** Whether a timeline entry is the one of this change. */
export function isEntryOf(
  entry: Row<'incident_timeline'>,
  { actor, message, comment, atMs }: RecordedChange,
): boolean {
  const isSame = entry.actor === actor && entry.message === message && entry.at <= atMs;
  // An older version has not stored the comment separately.
  return isSame && (entry.comment === undefined || entry.comment === null || entry.comment === comment);
}
