import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { anyOf, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { TokenStatus } from '../token/schema.ts';
import { CreatedEnrolment, Enrolment, NewEnrolment } from './schema.ts';

const enrolment = {
  enrolment_id: 'enr_06ays3w8jrv2k7d1m5q9x4t0zd',
  tenant_id: 'tnt_example',
  name: 'Phones of the sales team',
  max_uses: 100,
  uses: 42,
  environment: 'live',
  hint: 'svc_live_…9hTz',
  created_at: '2026-01-12T08:00:00.000Z',
  created_by: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
  expires_at: '2026-01-19T08:00:00.000Z',
  last_used_at: '2026-01-12T09:30:00.000Z',
  revoked_at: null,
  status: 'active',
};

const query = Type.Object(tenantQuery, { additionalProperties: false });

export const listEnrolments = operation({
  operationId: 'listEnrolments',
  method: 'GET',
  path: '/enrolments',
  tag: 'enrolments',
  summary: 'List enrolment secrets',
  description: 'Metadata only, newest first.',
  scope: 'devices:read',
  query: pageQuery({ status: anyOf(TokenStatus), ...createdWithin }),
  responses: {
    200: {
      description: 'A page of enrolment secrets.',
      schema: pageOf('EnrolmentPage', Enrolment, {}),
      example: { data: [enrolment], has_more: false, next_cursor: null },
    },
  },
});

export const createEnrolment = operation({
  operationId: 'createEnrolment',
  method: 'POST',
  path: '/enrolments',
  tag: 'enrolments',
  summary: 'Create an enrolment secret',
  description:
    'The response contains the secret, only once. It can do nothing but register devices with POST /devices, up to `max_uses` new ones until `expires_at`. The caller needs every scope of the credentials that devices get: `devices:read`, `devices:write`, `events:write` and `status:read`. Bring the secret to devices with the installation of the agent.',
  scope: 'devices:write',
  recentSignIn: true,
  body: NewEnrolment,
  bodyExample: { name: enrolment.name, max_uses: enrolment.max_uses },
  headers: ['Idempotency-Key'],
  responses: {
    201: {
      description: 'Created.',
      schema: CreatedEnrolment,
      example: {
        ...enrolment,
        uses: 0,
        last_used_at: null,
        secret: 'svc_live_<33 characters><6 characters of checksum>',
      },
      headers: ['Location'],
    },
  },
  errors: ['scope_escalation', 'holding_limit_reached', 'idempotency_conflict'],
});

export const getEnrolment = operation({
  operationId: 'getEnrolment',
  method: 'GET',
  path: '/enrolments/{id}',
  tag: 'enrolments',
  summary: 'Read one enrolment secret',
  scope: 'devices:read',
  id: 'enrolment',
  query,
  responses: { 200: { description: 'The enrolment secret.', schema: Enrolment, example: enrolment } },
});

export const revokeEnrolment = operation({
  operationId: 'revokeEnrolment',
  method: 'DELETE',
  path: '/enrolments/{id}',
  tag: 'enrolments',
  summary: 'Revoke an enrolment secret',
  description:
    'Permanent, and in force on every node when the response is sent. Devices that have enrolled stay registered and keep their credentials. A repeat has no effect.',
  scope: 'devices:write',
  id: 'enrolment',
  query,
  responses: { 204: { description: 'Revoked.' } },
});

export const enrolmentOperations = [listEnrolments, createEnrolment, getEnrolment, revokeEnrolment] as const;
