import { type Static, Type } from 'typebox';
import { idOf } from '../schema/identifiers.ts';
import { RoleName } from '../schema/roles.ts';
import { closed, nullable, Severity, stringEnum, Timestamp, timestampOf } from '../schema/values.ts';
import {
  INCIDENT_CATEGORIES,
  INCIDENT_LIST_LIMIT,
  INCIDENT_STATUSES,
  MAX_TAGS,
  RESOLUTIONS,
} from '../schema/vocabulary.ts';

export const IncidentCategory = stringEnum(
  INCIDENT_CATEGORIES,
  'A threat category, or `device_integrity` (a gap or fork in the event chain of a device), `monitoring` (a problem of the service itself) or `campaign` (one indicator on several devices).',
);
export type IncidentCategory = Static<typeof IncidentCategory>;

export const IncidentStatus = stringEnum(INCIDENT_STATUSES, 'Status of the incident.');
export type IncidentStatus = Static<typeof IncidentStatus>;

/** The orders of the list, beside newest first. */
export const INCIDENT_SORTS = ['severity', 'updated_at'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

export const Resolution = stringEnum(RESOLUTIONS, 'What the incident turned out to be (its disposition).');
export type Resolution = Static<typeof Resolution>;

const Assignee = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The ID of the member who works on it, `acc_<id>`, or the name of a person or team.',
});
const Comment = Type.String({
  minLength: 1,
  maxLength: 4000,
  description: 'Reason, recorded in the timeline.',
});
const tagsOf = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: MAX_TAGS,
    uniqueItems: true,
    description,
  });
const Tags = tagsOf('Tags of the incident.');

export const TimelineEntry = closed(
  {
    at: Timestamp,
    kind: stringEnum(['opened', 'alert_joined', 'correction', 'changed'], 'What happened.'),
    actor: Type.String({
      description: '`service`, or the ID of the account, token or OAuth client that made the change.',
    }),
    actor_name: nullable(
      Type.String({
        description: 'Name of the actor; null for the service and for an actor that has left the tenant.',
      }),
    ),
    message: Type.String({ description: 'One line for people.' }),
    comment: nullable(Type.String({ description: 'Comment of the person, which `message` repeats.' })),
  },
  { $id: 'IncidentTimelineEntry', description: 'One entry in the timeline of an incident.' },
);
export type TimelineEntry = Static<typeof TimelineEntry>;

export const AllowedMove = closed(
  {
    status: IncidentStatus,
    requires: nullable(stringEnum(['resolution', 'comment'], 'What the change must name beside the status.')),
    resolutions: Type.Array(Resolution, {
      maxItems: RESOLUTIONS.length,
      description: 'The resolutions to choose from; empty if the change needs none.',
    }),
  },
  { $id: 'IncidentMove', description: 'A change of status that the lifecycle allows.' },
);
export type AllowedMove = Static<typeof AllowedMove>;

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
    assignee_name: nullable(
      Type.String({ description: 'Name of the assignee: of the member, or `assignee` itself.' }),
    ),
    acknowledged_at: nullable(
      timestampOf('When a person first assigned it or changed its status; null before.'),
    ),
    resolved_at: nullable(
      timestampOf('When it was resolved or closed; null while it is not, and if this is not known.'),
    ),
    allowed_moves: Type.Array(AllowedMove, {
      maxItems: INCIDENT_STATUSES.length,
      description: 'The changes of status that are possible now.',
    }),
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

const changes = {
  status: Type.Optional(IncidentStatus),
  resolution: Type.Optional(Resolution),
  comment: Type.Optional(Comment),
  assignee: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'The ID of the member who works on it, `me` for the person who asks, or the name of a person or team.',
      }),
    ),
  ),
  severity: Type.Optional(Severity),
  tags: Type.Optional(tagsOf('Replaces all tags.')),
  add_tags: Type.Optional(tagsOf('Tags to add to those of the incident.')),
  remove_tags: Type.Optional(tagsOf('Tags to remove, if the incident has them.')),
};

/** Body of PATCH /incidents/{id}; at least one member besides `tenant_id`. */
export const IncidentChange = closed(
  { tenant_id: Type.Optional(idOf('tenant')), ...changes },
  { $id: 'IncidentChange', minProperties: 1, description: 'Members to change; the others stay as they are.' },
);
export type IncidentChange = Static<typeof IncidentChange>;

/** The change of a bulk request. */
export const IncidentBulkChange = closed(changes, {
  minProperties: 1,
  description: 'Members to change in each incident; the others stay as they are.',
});

/** A person to whom incidents can be assigned. */
export const IncidentAssignee = closed(
  {
    account_id: idOf('account'),
    name: Type.String({ description: 'Name that the person chose.' }),
    role: RoleName,
  },
  { $id: 'IncidentAssignee', description: 'A member of the tenant who works on incidents.' },
);
export type IncidentAssignee = Static<typeof IncidentAssignee>;

export const SIMILARITIES = ['indicator', 'subject'] as const;

/** An incident that has something in common with another one. */
export const SimilarIncident = closed(
  {
    id: idOf('incident'),
    category: IncidentCategory,
    severity: Severity,
    status: IncidentStatus,
    resolution: nullable(Resolution),
    message: Type.String({ description: 'What happened, in one sentence.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    shared: Type.Array(
      stringEnum(
        SIMILARITIES,
        '`indicator`: an indicator of its threats. `subject`: the device, or the indicator of a campaign.',
      ),
      { minItems: 1, maxItems: SIMILARITIES.length, description: 'What the incidents have in common.' },
    ),
  },
  { $id: 'SimilarIncident', description: 'An incident that shares an indicator or the subject.' },
);
export type SimilarIncident = Static<typeof SimilarIncident>;

/** Maximum number of similar incidents in a response. */
export const MAX_SIMILAR = 20;

export const SimilarIncidents = closed(
  { data: Type.Array(SimilarIncident, { maxItems: MAX_SIMILAR, description: 'Newest first.' }) },
  { $id: 'SimilarIncidents', description: 'The newest incidents that are similar to one.' },
);
export type SimilarIncidents = Static<typeof SimilarIncidents>;
