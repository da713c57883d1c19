import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, Timestamp } from './schema/values.ts';
import { INCIDENT_LIST_LIMIT, THREAT_CATEGORIES } from './schema/vocabulary.ts';

export const INCIDENT_CATEGORIES = [
  ...THREAT_CATEGORIES,
  'device_integrity',
  'monitoring',
  'campaign',
] as const;
export const IncidentCategory = stringEnum(
  INCIDENT_CATEGORIES,
  'A threat category, or `device_integrity` (a gap or fork in the event chain of a device), `monitoring` (a problem of the service itself) or `campaign` (one indicator on several devices).',
);
export type IncidentCategory = Static<typeof IncidentCategory>;

export const INCIDENT_STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;
export const IncidentStatus = stringEnum(INCIDENT_STATUSES, 'Status of the incident.');
export type IncidentStatus = Static<typeof IncidentStatus>;

/** The orders of the list, beside newest first. */
export const INCIDENT_SORTS = ['severity', 'updated_at'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

export const RESOLUTIONS = [
  'true_positive',
  'false_positive',
  'benign_expected',
  'duplicate',
  'test',
  'inconclusive',
] as const;
export const Resolution = stringEnum(RESOLUTIONS, 'What the incident turned out to be (its disposition).');
export type Resolution = Static<typeof Resolution>;

const Assignee = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Person or team that works on it.',
});
const Comment = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'Reason, recorded in the timeline.',
});
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50, uniqueItems: true });

export const TimelineEntry = closed(
  {
    at: Timestamp,
    kind: stringEnum(['opened', 'alert_joined', 'correction', 'changed'], 'What happened.'),
    actor: Type.String({ description: '`service`, or the ID of the token that made the change.' }),
    message: Type.String({ description: 'One line for people.' }),
  },
  { $id: 'IncidentTimelineEntry', description: 'One entry in the timeline of an incident.' },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const Incident = closed(
  {
    id: idOf('incident'),
    tenant_id: idOf('tenant'),
    category: IncidentCategory,
    severity: Severity,
    status: IncidentStatus,
    message: Type.String({ description: 'What happened, in one sentence.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    resolution: nullable(Resolution),
    assignee: nullable(Assignee),
    tags: Tags,
    device_ids: Type.Array(idOf('device'), { maxItems: INCIDENT_LIST_LIMIT }),
    alert_ids: Type.Array(idOf('alert'), {
      maxItems: INCIDENT_LIST_LIMIT,
      description: 'The newest alerts of the incident.',
    }),
    threat_ids: Type.Array(idOf('threat'), {
      maxItems: INCIDENT_LIST_LIMIT,
      description: 'The threats of these alerts.',
    }),
    version: Type.Integer({
      minimum: 1,
      description: 'Increases with each change, also when an event joins; it is the ETag.',
    }),
    timeline: Type.Array(TimelineEntry, {
      maxItems: INCIDENT_LIST_LIMIT,
      description: 'The newest entries, oldest first.',
    }),
  },
  { $id: 'Incident', description: 'Related alerts that a person has to handle.' },
);
export type Incident = Static<typeof Incident>;

/** Body of PATCH /incidents/{id}; at least one member besides `tenant_id`. */
export const IncidentChange = closed(
  {
    tenant_id: Type.Optional(idOf('tenant')),
    status: Type.Optional(IncidentStatus),
    resolution: Type.Optional(Resolution),
    comment: Type.Optional(Comment),
    assignee: Type.Optional(nullable(Assignee)),
    severity: Type.Optional(Severity),
    tags: Type.Optional(Tags),
  },
  { $id: 'IncidentChange', minProperties: 1, description: 'Members to change; the others stay as they are.' },
);
export type IncidentChange = Static<typeof IncidentChange>;
