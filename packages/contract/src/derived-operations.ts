import { Type } from 'typebox';
import { Alert, AlertStatus } from './alert.ts';
import { idOf } from './identifiers.ts';
import { operation } from './operation.ts';
import { pageOf, pageQuery, tenantQuery } from './page.ts';
import { Threat, ThreatStatus } from './threat.ts';
import { Severity, ThreatCategory, Timestamp } from './values.ts';

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

const alert = {
  alert_id: 'alr_06ays3w8jrv2k7d1m5q9x4t0zd',
  tenant_id: 'tnt_example',
  device_id: 'dev_pixel-8-anna',
  severity: 'high',
  title: 'Phishing blocked',
  event_ids: ['evt_0mf3k2c8v1r6t'],
  status: 'open',
  created_at: '2026-03-02T09:15:04.120Z',
  updated_at: '2026-03-02T09:15:04.120Z',
  threat_id: threat.threat_id,
  incident_id: 'inc_06ays3w8jrv2k7d1m5q9x4t0ze',
  threat_category: 'phishing',
};

export const listThreats = operation({
  operationId: 'listThreats',
  method: 'GET',
  path: '/threats',
  tag: 'threats',
  summary: 'List detected threats',
  description: 'Newest first. `since` is inclusive and compares `detected_at`.',
  scope: 'threats:read',
  query: pageQuery({
    since: Type.Optional(Timestamp),
    severity: Type.Optional(Severity),
    status: Type.Optional(ThreatStatus),
    device_id: Type.Optional(idOf('device')),
    threat_category: Type.Optional(ThreatCategory),
  }),
  answers: {
    200: {
      description: 'A page of threats.',
      schema: pageOf('ThreatPage', Threat, {
        total_count: Type.Integer({
          minimum: 0,
          description: 'Threats that match the filters, over all pages.',
        }),
      }),
      example: { data: [threat], has_more: false, next_cursor: null, total_count: 1 },
    },
  },
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
  answers: { 200: { description: 'The threat.', schema: Threat, example: threat } },
});

export const listAlerts = operation({
  operationId: 'listAlerts',
  method: 'GET',
  path: '/alerts',
  tag: 'alerts',
  summary: 'List derived alerts',
  description: 'Newest first.',
  scope: 'alerts:read',
  query: pageQuery({
    severity: Type.Optional(Severity),
    status: Type.Optional(AlertStatus),
    device_id: Type.Optional(idOf('device')),
    incident_id: Type.Optional(idOf('incident')),
  }),
  answers: {
    200: {
      description: 'A page of alerts.',
      schema: pageOf('AlertPage', Alert, {}),
      example: { data: [alert], has_more: false, next_cursor: null },
    },
  },
});

export const getAlert = operation({
  operationId: 'getAlert',
  method: 'GET',
  path: '/alerts/{id}',
  tag: 'alerts',
  summary: 'Read one alert',
  scope: 'alerts:read',
  id: 'alert',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  answers: { 200: { description: 'The alert.', schema: Alert, example: alert } },
});

export const derivedOperations = [listThreats, getThreat, listAlerts, getAlert] as const;
