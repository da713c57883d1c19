import { Type } from 'typebox';
import { operation } from './operation.ts';
import { tenantQuery } from './page.ts';
import { Liveness, ProtectionStatus, Readiness } from './status.ts';

export const getStatus = operation({
  operationId: 'getStatus',
  method: 'GET',
  path: '/status',
  tag: 'status',
  summary: 'Read the protection status',
  scope: 'status:read',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  answers: {
    200: {
      description: 'The status and what it rests on.',
      schema: ProtectionStatus,
      example: {
        status: 'at_risk',
        reasons: ['1 unresolved incident of severity high or critical'],
        tenant_id: 'tnt_example',
        generated_at: '2026-03-02T09:20:00.000Z',
        devices: { total: 12, active: 11, revoked: 1, online: 9, stale: 1, offline: 1 },
        threats: { active: 1 },
        alerts: { open: 1 },
        incidents: { open: 1, in_progress: 0, on_hold: 0 },
        events: { last_event_at: '2026-03-02T09:15:04.120Z', last_24h: 311 },
        webhooks: { registered: 2, failing: 0, dead_letters: 0, persistence: 'persistent' },
        components: { store: 'up', dispatcher: 'up', workflow: 'up', scan: 'up' },
        version: '0.1.0',
      },
    },
  },
});

export const getHealth = operation({
  operationId: 'getHealth',
  method: 'GET',
  path: '/healthz',
  tag: 'service',
  summary: 'Whether the process answers',
  scope: null,
  answers: { 200: { description: 'It does.', schema: Liveness, example: { status: 'ok' } } },
});

export const getReadiness = operation({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/readyz',
  tag: 'service',
  summary: 'Whether requests can be served',
  description: '503 while the store cannot be reached and while the service stops.',
  scope: null,
  answers: {
    200: {
      description: 'Ready.',
      schema: Readiness,
      example: { status: 'ready', components: { store: 'up', dispatcher: 'up', workflow: 'up' } },
    },
  },
});

export const getOpenApi = operation({
  operationId: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  tag: 'service',
  summary: 'This document',
  scope: null,
  answers: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      schema: Type.Object({ openapi: Type.String() }, { description: 'An OpenAPI 3.1 document.' }),
      example: { openapi: '3.1.1' },
    },
  },
});

export const getDocs = operation({
  operationId: 'getDocs',
  method: 'GET',
  path: '/docs',
  tag: 'service',
  summary: 'This document as a page to read and try',
  scope: null,
  answers: {
    200: {
      description: 'An HTML page that loads nothing from elsewhere.',
      schema: Type.String(),
      example: '<!doctype html><title>Threat Protection Service</title>',
      mediaType: 'text/html',
    },
    301: { description: 'The page is at `/docs/`.', headers: ['Location'] },
  },
});

export const serviceOperations = [getStatus, getHealth, getReadiness, getOpenApi, getDocs] as const;
