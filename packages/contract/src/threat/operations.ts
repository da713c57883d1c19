import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfIds, anyOfTexts } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { Severity, ThreatCategory, timestampOf } from '../schema/values.ts';
import { Threat, ThreatStatus } from './schema.ts';

const threat = {
  threat_id: 'thr_06ays3w8jrv2k7d1m5q9x4t0zc',
  threat_category: 'phishing',
  confidence: 0.97,
  severity: 'high',
  device_id: 'dev_pixel-8-anna',
  detected_at: '2026-03-02T09:15:03.000Z',
  description: 'Message with a link to a look-alike login page, sender [phone]',
  indicators: ['url:sha256:5e0f5d1c1a35b2c2bd0ad9d6a0f2f8fd7b3c8a2e4c6b7d8f9a0b1c2d3e4f5a6b'],
  status: 'active',
  last_seen_at: '2026-03-02T09:15:03.000Z',
  event_count: 1,
};

const filters = {
  since: Type.Optional(timestampOf('Only threats detected at this time or later.')),
  until: Type.Optional(timestampOf('Only threats detected before this time.')),
  severity: anyOf(Severity),
  status: anyOf(ThreatStatus),
  device_id: anyOfIds('device'),
  threat_category: anyOf(ThreatCategory),
  incident_id: anyOfIds('incident'),
  indicator: anyOfTexts('An indicator of the threat.'),
};

export const listThreats = operation({
  operationId: 'listThreats',
  method: 'GET',
  path: '/threats',
  tag: 'threats',
  summary: 'List detected threats',
  description:
    'Newest first. `since` compares `detected_at` and is inclusive. `warn` and `block` events of a device and category that share an indicator, or the policy if they have none, join the same threat, with gaps of at most 24 hours and 7 days in total.',
  scope: 'threats:read',
  query: pageQuery(filters),
  responses: {
    200: {
      description: 'A page of threats.',
      schema: pageOf('ThreatPage', Threat, {
        total_count: Type.Integer({
          minimum: 0,
          description: 'Number of threats that match the filters, on all pages.',
        }),
      }),
      example: { data: [threat], has_more: false, next_cursor: null, total_count: 1 },
    },
  },
});

export const countThreats = countsOperation({
  list: listThreats,
  operationId: 'countThreats',
  noun: 'threats',
  filters,
  time: 'time of detection',
});

export const getThreat = operation({
  operationId: 'getThreat',
  method: 'GET',
  path: '/threats/{id}',
  tag: 'threats',
  summary: 'Read one threat',
  scope: 'threats:read',
  id: 'threat',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The threat.', schema: Threat, example: threat } },
});

export const threatOperations = [listThreats, countThreats, getThreat] as const;
