import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { tenantQuery } from '../schema/page.ts';
import { ProtectionStatus } from './schema.ts';

export const getStatus = operation({
  operationId: 'getStatus',
  method: 'GET',
  path: '/status',
  tag: 'status',
  summary: 'Read the protection status',
  scope: 'status:read',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: {
      description: 'The status and the figures behind it.',
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
        version: '0.3.0',
      },
    },
  },
});

export const statusOperations = [getStatus] as const;
