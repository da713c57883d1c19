import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { tenantQuery } from '../schema/page.ts';
import { NewDeletionRequest, TenantDeletionRequest, TenantSettings } from './schema.ts';

const deletion = {
  due_at: '2026-04-01T09:00:00.000Z',
  requested_by: { type: 'account', id: 'acc_06ays3w8jrv2k7d1m5q9x4t0za' },
};

export const getSettings = operation({
  operationId: 'getSettings',
  method: 'GET',
  path: '/settings',
  tag: 'settings',
  summary: 'Read what is in effect for the tenant',
  description:
    'Retention, limits, sessions and sign-on, each with the command or variable that changes it. Only the operator of the service can change them.',
  scope: 'status:read',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: {
    200: {
      description: 'The settings.',
      schema: TenantSettings,
      example: {
        tenant_id: 'tnt_example',
        name: 'Example Ltd',
        environment: 'live',
        created_at: '2026-01-12T08:00:00.000Z',
        version: '1.0.0',
        settings: [
          {
            key: 'retention.events',
            value: 90,
            unit: 'days',
            description: 'events by arrival, with their deliveries and dead letters',
            set_by: 'service',
            changed_with: 'tps retention set',
          },
        ],
        deletion: null,
      },
    },
  },
});

export const requestDeletion = operation({
  operationId: 'requestDeletion',
  method: 'POST',
  path: '/settings/deletion',
  tag: 'settings',
  summary: 'Request the deletion of the tenant',
  description:
    'The tenant and all its data are deleted permanently within `after_days`: the deletion begins at `due_at`, two hours before they have passed. Until then everything works as before, and the request can be cancelled. A `name` that is not the name of the tenant is 400 `invalid_field`. A second request is 422 `invalid_state_transition`.',
  scope: 'settings:write',
  recentSignIn: true,
  body: NewDeletionRequest,
  bodyExample: { name: 'Example Ltd', after_days: 30 },
  responses: {
    201: { description: 'Requested.', schema: TenantDeletionRequest, example: deletion },
  },
  errors: ['invalid_state_transition'],
});

export const cancelDeletion = operation({
  operationId: 'cancelDeletion',
  method: 'DELETE',
  path: '/settings/deletion',
  tag: 'settings',
  summary: 'Cancel the requested deletion of the tenant',
  description: 'Without a request, this has no effect.',
  scope: 'settings:write',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 204: { description: 'Cancelled.' } },
});

export const settingsOperations = [getSettings, requestDeletion, cancelDeletion] as const;
