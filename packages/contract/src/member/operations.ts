import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { anyOf, createdWithin } from '../schema/filters.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { RoleName } from '../schema/roles.ts';
import { stringEnum } from '../schema/values.ts';
import { Member, MemberUpdate } from './schema.ts';

const member = {
  account_id: 'acc_06ays3w8jrv2k7d1m5q9x4t0ze',
  tenant_id: 'tnt_example',
  email: 'kim@example.com',
  email_verified: true,
  name: 'Kim Example',
  role: 'analyst',
  created_at: '2026-01-12T08:00:00.000Z',
  created_by: 'acc_06ays3w8jrv2k7d1m5q9x4t0zf',
  last_seen_at: '2026-01-12T09:30:00.000Z',
  has_second_factor: true,
};

const SignOnOfMember = Type.Optional(
  stringEnum(
    ['delete'],
    'Deletes single sign-on together with the member who owns it. It ends the sessions that began at the provider. The caller needs every scope of an admin.',
  ),
);

const query = Type.Object(tenantQuery, { additionalProperties: false });

export const listMembers = operation({
  operationId: 'listMembers',
  method: 'GET',
  path: '/members',
  tag: 'members',
  summary: 'List members',
  description: 'The people who have access to the tenant, the oldest accounts first.',
  scope: 'members:read',
  query: pageQuery({ role: anyOf(RoleName), ...createdWithin }),
  responses: {
    200: {
      description: 'A page of members.',
      schema: pageOf('MemberPage', Member, {}),
      example: { data: [member], has_more: false, next_cursor: null },
    },
  },
});

export const getMember = operation({
  operationId: 'getMember',
  method: 'GET',
  path: '/members/{id}',
  tag: 'members',
  summary: 'Read one member',
  scope: 'members:read',
  id: 'account',
  query,
  responses: { 200: { description: 'The member.', schema: Member, example: member } },
});

export const updateMember = operation({
  operationId: 'updateMember',
  method: 'PATCH',
  path: '/members/{id}',
  tag: 'members',
  summary: 'Change the role of a member',
  description:
    'The caller needs every scope of the new role and of the present one. Access tokens that OAuth clients have for the member in this tenant are revoked. A role with fewer scopes also ends what the member owns: `GET /holdings` lists it, and `POST /holdings/adopt` keeps it. All of this is in force on every node when the response is sent. The role of the last admin cannot be changed. A member who owns the single sign-on of the tenant cannot get a role with fewer scopes.',
  scope: 'members:write',
  recentSignIn: true,
  id: 'account',
  body: MemberUpdate,
  bodyExample: { role: 'admin' },
  responses: {
    200: { description: 'The member.', schema: Member, example: { ...member, role: 'admin' } },
  },
  errors: ['scope_escalation', 'invalid_state_transition'],
});

export const removeMember = operation({
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/members/{id}',
  tag: 'members',
  summary: 'Remove a member',
  description:
    'The caller needs every scope of the role of the member. Access tokens that OAuth clients have for the member in this tenant are revoked, and what the member owns ends: `GET /holdings` lists it, and `POST /holdings/adopt` keeps it. This is in force on every node when the response is sent. Devices that are registered keep their credentials. The account stays too, because it may belong to other tenants. The last admin cannot be removed. A member who owns the single sign-on of the tenant is removed only with `sign_on=delete`, or after another admin has adopted it.',
  scope: 'members:write',
  recentSignIn: true,
  id: 'account',
  query: Type.Object({ ...tenantQuery, sign_on: SignOnOfMember }, { additionalProperties: false }),
  responses: { 204: { description: 'Removed.' } },
  errors: ['scope_escalation', 'invalid_state_transition'],
});

export const memberOperations = [listMembers, getMember, updateMember, removeMember] as const;
