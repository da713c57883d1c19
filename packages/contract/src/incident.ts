import { type Static, Type } from 'typebox';
import { idOf } from './schema/identifiers.ts';
import { closed, nullable, Severity, stringEnum, Timestamp } from './schema/values.ts';
import { THREAT_CATEGORIES } from './schema/vocabulary.ts';

export const INCIDENT_CATEGORIES = [
  ...THREAT_CATEGORIES,
  'device_integrity',
  'monitoring',
  'campaign',
] as const;
export const IncidentCategory = stringEnum(
  INCIDENT_CATEGORIES,
  'A threat category; or `device_integrity` (a device chain with a gap or fork), `monitoring`, `campaign` (one indicator on many devices).',
);
export type IncidentCategory = Static<typeof IncidentCategory>;

export const INCIDENT_STATUSES = ['open', 'in_progress', 'on_hold', 'resolved', 'closed'] as const;
export const IncidentStatus = stringEnum(INCIDENT_STATUSES, 'Where the incident is in its lifecycle.');
export type IncidentStatus = Static<typeof IncidentStatus>;

export const RESOLUTIONS = [
  'true_positive',
  'false_positive',
  'benign_expected',
  'duplicate',
  'test',
  'inconclusive',
] as const;
export const Resolution = stringEnum(RESOLUTIONS, 'What the incident turned out to be.');
export type Resolution = Static<typeof Resolution>;

/** Most alerts, threats, devices and timeline entries that one answer lists; the newest are kept. */
export const INCIDENT_LIST_LIMIT = 500;

const Assignee = Type.String({ minLength: 1, maxLength: 200, description: 'Who works on it.' });
const Comment = Type.String({ minLength: 1, maxLength: 4000, description: 'Why, for the timeline.' });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50, uniqueItems: true });

export const TimelineEntry = closed(
  {
    at: Timestamp,
    kind: stringEnum(['opened', 'alert_joined', 'correction', 'changed'], 'What happened.'),
    actor: Type.String({ description: '`service`, or the id of the token that made the change.' }),
    message: Type.String({ description: 'One line for a person.' }),
  },
  { $id: 'IncidentTimelineEntry', description: 'One moment in the life of an incident.' },
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
      description: 'Its newest alerts.',
    }),
    threat_ids: Type.Array(idOf('threat'), {
      maxItems: INCIDENT_LIST_LIMIT,
      description: 'Threats of these alerts.',
    }),
    version: Type.Integer({ minimum: 1, description: 'Rises with each change; it is the ETag.' }),
    timeline: Type.Array(TimelineEntry, {
      maxItems: INCIDENT_LIST_LIMIT,
      description: 'Oldest first; the newest are kept.',
    }),
  },
  { $id: 'Incident', description: 'Alerts that belong together and need a person. Tenant-scoped.' },
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
  { $id: 'IncidentChange', minProperties: 1, description: 'Members to change; the others stay.' },
);
export type IncidentChange = Static<typeof IncidentChange>;
