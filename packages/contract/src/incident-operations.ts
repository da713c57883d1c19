import { Type } from 'typebox';
import { INCIDENT_SORTS, Incident, IncidentCategory, IncidentChange, IncidentStatus } from './incident.ts';
import { operation } from './openapi/operation.ts';
import { countsOperation } from './schema/counts.ts';
import { anyOf, anyOfTexts, createdWithin } from './schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from './schema/page.ts';
import { Severity, stringEnum } from './schema/values.ts';

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
  assignee: null,
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
      message: 'Opened by alert alr_06ays3w8jrv2k7d1m5q9x4t0zd',
    },
  ],
};

const resolved = {
  ...incident,
  status: 'resolved',
  resolution: 'true_positive',
  updated_at: '2026-03-02T10:02:00.000Z',
  version: 2,
  timeline: [
    ...incident.timeline,
    {
      at: '2026-03-02T10:02:00.000Z',
      kind: 'changed',
      actor: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
      message: 'Status from open to resolved as true_positive: the sender was reported and blocked',
    },
  ],
};

const filters = {
  severity: anyOf(Severity),
  status: anyOf(IncidentStatus),
  category: anyOf(IncidentCategory),
  assignee: anyOfTexts('Person or team that works on it; `none` finds unassigned incidents.'),
  tag: anyOfTexts('A tag of the incident.'),
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
  summary: 'Change the status, assignee, severity or tags of an incident',
  description:
    'Resolving requires a `resolution`. Closing an open incident requires `false_positive`, `duplicate` or `test`. Reopening a resolved incident requires a `comment`. A change of status that is not allowed, or that lacks what it requires, is 422 `invalid_state_transition`; setting the current status has no effect. Resolving or closing resolves the alerts. `true_positive` resolves the threats; `false_positive`, `benign_expected` and `test` dismiss them; `duplicate` and `inconclusive` leave them.',
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

export const incidentOperations = [listIncidents, countIncidents, getIncident, updateIncident] as const;
