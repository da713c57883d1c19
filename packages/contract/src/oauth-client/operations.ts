import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import {
  ClientSecretRotation,
  CreatedOAuthClient,
  NewOAuthClient,
  OAuthClient,
  OAuthClientChange,
} from './schema.ts';

const client = {
  client_id: 'cli_06ays3w8jrv2k7d1m5q9x4t0zg',
  tenant_id: 'tnt_example',
  name: 'SIEM connector',
  uri: 'https://siem.example.com',
  redirect_uris: ['https://siem.example.com/callback'],
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
  token_endpoint_auth_method: 'client_secret_post',
  scopes: ['events:read', 'alerts:read'],
  jwks: null,
  refresh_grace_s: 0,
  secret_hint: 'svc_cs_…9hTz',
  previous_secret_until: null,
  created_at: '2026-03-02T09:00:00.000Z',
  created_by: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
  updated_at: '2026-03-02T09:00:00.000Z',
  last_used_at: null,
};
/** Stands for the secret: an example must not look like a working one. */
const shownOnce = 'svc_cs_<33 characters><6 characters of checksum>';

const query = Type.Object(tenantQuery, { additionalProperties: false });
const byId = { id: 'oauth_client', tag: 'oauth clients' } as const;
const writes = { scope: 'tokens:write', recentSignIn: true } as const;

export const listOAuthClients = operation({
  operationId: 'listOAuthClients',
  method: 'GET',
  path: '/oauth-clients',
  tag: 'oauth clients',
  summary: 'List OAuth clients',
  description: 'Newest first.',
  scope: 'tokens:read',
  query: pageQuery({}),
  responses: {
    200: {
      description: 'A page of clients.',
      schema: pageOf('OAuthClientPage', OAuthClient, {}),
      example: { data: [client], has_more: false, next_cursor: null },
    },
  },
});

export const createOAuthClient = operation({
  ...writes,
  operationId: 'createOAuthClient',
  method: 'POST',
  path: '/oauth-clients',
  tag: 'oauth clients',
  summary: 'Create an OAuth client',
  description:
    'If the client has a secret, the response contains it, once only: a repeat with the same `Idempotency-Key` omits it. The response is 403 `scope_escalation`, and the attempt is audited, if the caller lacks one of the scopes, or if its own credential expires and is not an access token of OAuth2. With `client_credentials`, tokens have the scopes of the client. With the other grants, they have only those that the person has too.',
  body: NewOAuthClient,
  bodyExample: {
    name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: client.grant_types,
    scopes: client.scopes,
  },
  headers: ['Idempotency-Key'],
  responses: {
    201: {
      description: 'Created.',
      schema: CreatedOAuthClient,
      example: { ...client, client_secret: shownOnce },
      headers: ['Location'],
    },
  },
  errors: ['scope_escalation', 'holding_limit_reached', 'idempotency_conflict'],
});

export const getOAuthClient = operation({
  ...byId,
  operationId: 'getOAuthClient',
  method: 'GET',
  path: '/oauth-clients/{id}',
  summary: 'Read one OAuth client',
  scope: 'tokens:read',
  query,
  responses: { 200: { description: 'The client.', schema: OAuthClient, example: client } },
});

export const updateOAuthClient = operation({
  ...byId,
  ...writes,
  operationId: 'updateOAuthClient',
  method: 'PATCH',
  path: '/oauth-clients/{id}',
  summary: 'Change an OAuth client',
  description:
    'If the change removes a scope, a grant type, a redirect URI or a key, all tokens and grants of the client end at once, on every node. If it removes a scope, so does what was set up with the client: `GET /holdings` lists it beforehand. Single sign-on stays, without the client as its owner. The response is 422 `invalid_state_transition` if the client has 20 owners, and the caller would be another one. The caller needs every scope that the client has afterwards.',
  body: OAuthClientChange,
  bodyExample: { scopes: ['events:read'] },
  responses: {
    200: {
      description: 'The client.',
      schema: OAuthClient,
      example: { ...client, scopes: ['events:read'], updated_at: '2026-03-02T10:30:00.000Z' },
    },
  },
  errors: ['scope_escalation', 'invalid_state_transition'],
});

export const deleteOAuthClient = operation({
  ...byId,
  ...writes,
  operationId: 'deleteOAuthClient',
  method: 'DELETE',
  path: '/oauth-clients/{id}',
  summary: 'Delete an OAuth client',
  description:
    'Permanent. All tokens and grants of the client, and what was set up with them, have ended on every node when the response is sent. `GET /holdings` lists beforehand what ends. A repeat is 404. The response is 422 `invalid_state_transition` if single sign-on was set up with the client and the caller lacks scopes of an admin.',
  query,
  responses: { 204: { description: 'Deleted.' } },
  errors: ['invalid_state_transition'],
});

export const rotateOAuthClientSecret = operation({
  ...byId,
  ...writes,
  operationId: 'rotateOAuthClientSecret',
  method: 'POST',
  path: '/oauth-clients/{id}/rotate-secret',
  summary: 'Replace the secret of an OAuth client',
  description:
    'The old secret stays valid for `overlap_s` seconds (default: a day). Another rotation within that time ends the oldest secret. Tokens that the client has stay valid, unless `overlap_s` is 0: then its access tokens end at once, on every node. The caller needs every scope of the client. The response is 422 `invalid_state_transition` if the client has no secret.',
  body: ClientSecretRotation,
  bodyOptional: true,
  bodyExample: { overlap_s: 3600 },
  responses: {
    200: {
      description: 'The client with its new secret.',
      schema: CreatedOAuthClient,
      example: {
        ...client,
        previous_secret_until: '2026-03-02T10:00:00.000Z',
        client_secret: shownOnce,
      },
    },
  },
  errors: ['scope_escalation', 'invalid_state_transition'],
});

export const oauthClientOperations = [
  listOAuthClients,
  createOAuthClient,
  getOAuthClient,
  updateOAuthClient,
  deleteOAuthClient,
  rotateOAuthClientSecret,
] as const;
