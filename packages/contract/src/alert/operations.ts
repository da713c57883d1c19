import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { countsOperation } from '../schema/counts.ts';
import { anyOf, anyOfIds, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { Severity, ThreatCategory } from '../schema/values.ts';
import { Alert, AlertStatus } from './schema.ts';

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
  threat_id: 'thr_06ays3w8jrv2k7d1m5q9x4t0zc',
  incident_id: 'inc_06ays3w8jrv2k7d1m5q9x4t0ze',
  threat_category: 'phishing',
};

const filters = {
  severity: anyOf(Severity),
  status: anyOf(AlertStatus),
  threat_category: anyOf(ThreatCategory),
  device_id: anyOfIds('device'),
  incident_id: anyOfIds('incident'),
  threat_id: anyOfIds('threat'),
  ...createdWithin,
};

export const listAlerts = operation({
  operationId: 'listAlerts',
  method: 'GET',
  path: '/alerts',
  tag: 'alerts',
  summary: 'List derived alerts',
  description:
    'Newest first. Each `block` raises an alert, and each `warn` of severity high or critical. Events of the same device, category, policy and indicators join it for 15 minutes, up to 1000.',
  scope: 'alerts:read',
  query: pageQuery(filters),
  responses: {
    200: {
      description: 'A page of alerts.',
      schema: pageOf('AlertPage', Alert, {}),
      example: { data: [alert], has_more: false, next_cursor: null },
    },
  },
});

export const countAlerts = countsOperation({
  list: listAlerts,
  operationId: 'countAlerts',
  noun: 'alerts',
  filters,
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
  responses: { 200: { description: 'The alert.', schema: Alert, example: alert } },
});

export const alertOperations = [listAlerts, countAlerts, getAlert] as const;
