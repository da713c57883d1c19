import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { bulkOf, bulkResultsOf } from '../schema/bulk.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfIds, anyOfTexts, createdWithin } from '../schema/filters.ts';
import { idOf } from '../schema/identifiers.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { closed, nullable, Severity, stringEnum } from '../schema/values.ts';
import { BULK_LIMIT } from '../schema/vocabulary.ts';
import { INCIDENT_MOVES } from './lifecycle.ts';
import {
  INCIDENT_SORTS,
  Incident,
  IncidentAssignee,
  IncidentBulkChange,
  IncidentCategory,
  IncidentChange,
  IncidentStatus,
  Resolution,
  SimilarIncidents,
} from './schema.ts';

const incident = {
  id: 'inc_06ays3w8jrv2k7d1m5q9x4t0ze',
  tenant_id: 'tnt_example',
  category: 'phishing',
  severity: 'high',
  status: 'open',
  message: 'Phishing on device dev_pixel-8-anna',
  created_at: '2026-03-02T09:15:04.120Z',
  updated_at: '2026-03-02T09:15:04.120Z',
  resolution: null,
  assignee: null as string | null,
  assignee_name: null as string | null,
  acknowledged_at: null as string | null,
  resolved_at: null as string | null,
  allowed_moves: INCIDENT_MOVES.open,
  tags: [],
  device_ids: ['dev_pixel-8-anna'],
  alert_ids: ['alr_06ays3w8jrv2k7d1m5q9x4t0zd'],
  threat_ids: ['thr_06ays3w8jrv2k7d1m5q9x4t0zc'],
  version: 1,
  timeline: [
    {
      at: '2026-03-02T09:15:04.120Z',
      kind: 'opened',
      actor: 'service',
      actor_name: null as string | null,
      message: 'Opened by alert alr_06ays3w8jrv2k7d1m5q9x4t0zd',
      comment: null as string | null,
    },
  ],
};

const resolved = {
  ...incident,
  status: 'resolved',
  resolution: 'true_positive',
  updated_at: '2026-03-02T10:02:00.000Z',
  acknowledged_at: '2026-03-02T10:02:00.000Z',
  resolved_at: '2026-03-02T10:02:00.000Z',
  allowed_moves: INCIDENT_MOVES.resolved,
  version: 2,
  timeline: [
    ...incident.timeline,
    {
      at: '2026-03-02T10:02:00.000Z',
      kind: 'changed',
      actor: 'acc_06ays3w8jrv2k7d1m5q9x4t0za',
      actor_name: 'Jo Fischer',
      message: 'Status from open to resolved as true_positive; Comment: the sender was reported and blocked',
      comment: 'the sender was reported and blocked',
    },
  ],
};

const filters = {
  severity: anyOf(Severity),
  status: anyOf(IncidentStatus),
  category: anyOf(IncidentCategory),
  assignee: anyOfTexts(
    'ID of the member, or name of the person or team, that works on it. `me` finds those of the person who asks, `none` unassigned ones.',
  ),
  tag: anyOfTexts('A tag of the incident.'),
  resolution: anyOf(Resolution),
  device_id: anyOfIds('device'),
  ...createdWithin,
};

export const listIncidents = operation({
  operationId: 'listIncidents',
  method: 'GET',
  path: '/incidents',
  tag: 'incidents',
  summary: 'List incidents',
  description: 'Newest first, unless `sort` says otherwise.',
  scope: 'incidents:read',
  query: pageQuery({
    ...filters,
    sort: Type.Optional(
      stringEnum(
        INCIDENT_SORTS,
        '`severity`: the highest severity first. `updated_at`: the last changed first. Incidents that are equal are sorted newest first.',
      ),
    ),
  }),
  responses: {
    200: {
      description: 'A page of incidents.',
      schema: pageOf('IncidentPage', Incident, {}),
      example: { data: [incident], has_more: false, next_cursor: null },
    },
  },
});

export const countIncidents = countsOperation({
  list: listIncidents,
  operationId: 'countIncidents',
  noun: 'incidents',
  filters,
});

export const getIncident = operation({
  operationId: 'getIncident',
  method: 'GET',
  path: '/incidents/{id}',
  tag: 'incidents',
  summary: 'Read one incident',
  scope: 'incidents:read',
  id: 'incident',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: { description: 'The incident.', schema: Incident, example: incident, headers: ['ETag'] },
  },
});

export const updateIncident = operation({
  operationId: 'updateIncident',
  method: 'PATCH',
  path: '/incidents/{id}',
  tag: 'incidents',
  summary: 'Change or comment on an incident',
  description:
    'Resolving requires a `resolution`. Closing an open incident requires `false_positive`, `duplicate` or `test`. Reopening a resolved incident requires a `comment`. A change of status that is not allowed, or that lacks what it requires, is 422 `invalid_state_transition`; setting the current status has no effect. Resolving or closing resolves the alerts. `true_positive` resolves the threats; `false_positive`, `benign_expected` and `test` dismiss them; `duplicate` and `inconclusive` leave them. `allowed_moves` of the incident lists the possible changes of status. A `comment` can be added without any other change.',
  scope: 'incidents:write',
  id: 'incident',
  body: IncidentChange,
  bodyExample: {
    status: 'resolved',
    resolution: 'true_positive',
    comment: 'the sender was reported and blocked',
  },
  headers: ['If-Match'],
  responses: {
    200: {
      description: 'The updated incident.',
      schema: Incident,
      example: resolved,
      headers: ['ETag'],
    },
  },
  errors: ['invalid_state_transition', 'version_mismatch'],
});

export const changeIncidents = operation({
  operationId: 'changeIncidents',
  method: 'POST',
  path: '/incidents/bulk',
  tag: 'incidents',
  summary: 'Change several incidents',
  description: `Changes each incident as PATCH does, in a separate transaction, and counts as one request for the rate limit. An incident that is refused has the error in its result; the others are changed. \`previous\` has the former values of what was changed. To undo a change, send them as the \`change\`, with the \`version\` of each result. A request changes up to ${BULK_LIMIT} incidents: repeat it with \`next_cursor\` until that is null.`,
  scope: 'incidents:write',
  body: bulkOf('IncidentBulk', {
    id: idOf('incident'),
    tenant: idOf('tenant'),
    filters,
    change: IncidentBulkChange,
    extra: {
      versions: Type.Optional(
        Type.Array(Type.Integer({ minimum: 1 }), {
          minItems: 1,
          maxItems: BULK_LIMIT,
          description:
            'The version of each of `ids`, in the same order. An incident with another version is not changed: its result is `version_mismatch`.',
        }),
      ),
    },
  }),
  bodyExample: { ids: [incident.id], change: { status: 'in_progress', assignee: 'me' } },
  responses: {
    200: {
      description: 'The results, one per incident.',
      schema: bulkResultsOf('IncidentBulkResults', idOf('incident'), {
        version: Type.Optional(Type.Integer({ minimum: 1, description: 'Version after the change.' })),
        previous: Type.Optional(
          closed(
            {
              status: Type.Optional(IncidentStatus),
              resolution: Type.Optional(nullable(Resolution)),
              severity: Type.Optional(Severity),
              assignee: Type.Optional(Incident.properties.assignee),
              tags: Type.Optional(Incident.properties.tags),
            },
            { description: 'The former values of what was changed; absent if nothing was.' },
          ),
        ),
      }),
      example: {
        results: [
          { id: incident.id, status: 200, version: 2, previous: { status: 'open', assignee: null } },
          {
            id: 'inc_06ays3w8jrv2k7d1m5q9x4t0zg',
            status: 422,
            error: {
              code: 'invalid_state_transition',
              message: 'The status cannot change from closed to in_progress',
              status: 422,
            },
          },
        ],
        next_cursor: null,
      },
    },
  },
  errors: ['invalid_cursor', 'cursor_filter_mismatch'],
});

export const listSimilarIncidents = operation({
  operationId: 'listSimilarIncidents',
  method: 'GET',
  path: '/incidents/{id}/similar',
  tag: 'incidents',
  summary: 'List incidents that are similar to one',
  description:
    'The newest other incidents, in any status, whose threats share an indicator or that have the same subject: the device, or the indicator of a campaign.',
  scope: 'incidents:read',
  id: 'incident',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: {
      description: 'The similar incidents.',
      schema: SimilarIncidents,
      example: {
        data: [
          {
            id: 'inc_06ays3w8jrv2k7d1m5q9x4t0zg',
            category: incident.category,
            severity: incident.severity,
            status: 'closed',
            resolution: 'true_positive',
            message: 'Phishing on device dev_pixel-7',
            created_at: '2026-02-27T14:01:44.000Z',
            updated_at: '2026-02-27T15:20:10.000Z',
            shared: ['indicator'],
          },
        ],
      },
    },
  },
});

export const listIncidentAssignees = operation({
  operationId: 'listIncidentAssignees',
  method: 'GET',
  path: '/incidents/assignees',
  tag: 'incidents',
  summary: 'List the members to whom incidents can be assigned',
  description: 'Members who may change incidents: analysts and admins, the oldest account first.',
  scope: 'incidents:read',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of members.',
      schema: pageOf('IncidentAssigneePage', IncidentAssignee, {}),
      example: {
        data: [{ account_id: 'acc_06ays3w8jrv2k7d1m5q9x4t0za', name: 'Jo Fischer', role: 'analyst' }],
        has_more: false,
        next_cursor: null,
      },
    },
  },
});

export const incidentOperations = [
  listIncidents,
  countIncidents,
  changeIncidents,
  listIncidentAssignees,
  getIncident,
  updateIncident,
  listSimilarIncidents,
] as const;
