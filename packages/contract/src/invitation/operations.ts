import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { CreatedInvitation, Invitation, NewInvitation } from './schema.ts';

const invitation = {
  invitation_id: 'inv_06ays3w8jrv2k7d1m5q9x4t0zg',
  tenant_id: 'tnt_example',
  email: 'kim@example.com',
  role: 'analyst',
  created_at: '2026-01-12T08:00:00.000Z',
  created_by: 'acc_06ays3w8jrv2k7d1m5q9x4t0zf',
  expires_at: '2026-01-19T08:00:00.000Z',
  accepted_at: null,
  accepted_by: null,
  revoked_at: null,
  status: 'pending',
};

const query = Type.Object(tenantQuery, { additionalProperties: false });

export const listInvitations = operation({
  operationId: 'listInvitations',
  method: 'GET',
  path: '/invitations',
  tag: 'members',
  summary: 'List invitations',
  description: 'Without their links, newest first.',
  scope: 'members:read',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of invitations.',
      schema: pageOf('InvitationPage', Invitation, {}),
      example: { data: [invitation], has_more: false, next_cursor: null },
    },
  },
});

export const createInvitation = operation({
  operationId: 'createInvitation',
  method: 'POST',
  path: '/invitations',
  tag: 'members',
  summary: 'Invite a person',
  description:
    'The response contains a link, once only. The first person who accepts the invitation on its page joins the tenant with the role, with a new account or an existing one. With `email`, only an account with that address can accept. An account whose `email_verified` is false cannot join a second tenant. The caller needs every scope of the role. If the service sends mail and `email` is given, a link is also sent there. Only this mailed link verifies the address of the person who accepts.',
  scope: 'members:write',
  recentSignIn: true,
  body: NewInvitation,
  bodyExample: { email: invitation.email, role: invitation.role },
  headers: ['Idempotency-Key'],
  responses: {
    201: {
      description: 'Created.',
      schema: CreatedInvitation,
      example: {
        ...invitation,
        link: 'https://tps.example.com/auth/invitation?token=<33 characters>',
        mail: 'sent',
      },
      headers: ['Location'],
    },
  },
  errors: ['scope_escalation', 'holding_limit_reached', 'idempotency_conflict'],
});

export const getInvitation = operation({
  operationId: 'getInvitation',
  method: 'GET',
  path: '/invitations/{id}',
  tag: 'members',
  summary: 'Read one invitation',
  scope: 'members:read',
  id: 'invitation',
  query,
  responses: { 200: { description: 'The invitation.', schema: Invitation, example: invitation } },
});

export const revokeInvitation = operation({
  operationId: 'revokeInvitation',
  method: 'DELETE',
  path: '/invitations/{id}',
  tag: 'members',
  summary: 'Revoke an invitation',
  description:
    'Permanent, and in force on every node when the response is sent. A person who has accepted it stays a member. A repeat has no effect.',
  scope: 'members:write',
  recentSignIn: true,
  id: 'invitation',
  query,
  responses: { 204: { description: 'Revoked.' } },
});

export const invitationOperations = [
  listInvitations,
  createInvitation,
  getInvitation,
  revokeInvitation,
] as const;
