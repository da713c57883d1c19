import { Type } from 'typebox';
import { auditResponses } from '../audit/operations.ts';
import { TOKEN_AUDIT_ACTIONS } from '../audit/schema.ts';
import { operation } from '../openapi/operation.ts';
import { anyOf, anyOfTexts, createdWithin } from '../schema/filters.ts';
import { idOf } from '../schema/identifiers.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { stringEnum } from '../schema/values.ts';
import { CreatedToken, NewToken, Token, TokenRoll, TokenStatus } from './schema.ts';

const token = {
  token_id: 'tok_06ays3w8jrv2k7d1m5q9x4t0zb',
  tenant_id: 'tnt_example',
  name: 'SIEM reader',
  scopes: ['events:read', 'alerts:read'],
  environment: 'live',
  hint: 'svc_live_…7Qxa',
  created_at: '2026-01-12T08:00:00.000Z',
  created_by: 'tok_06ays3w8jrv2k7d1m5q9x4t0za',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
  status: 'active',
};

const entry = {
  audit_id: 'aud_06ays3w8jrv2k7d1m5q9x4t0zf',
  tenant_id: 'tnt_example',
  occurred_at: '2026-01-12T08:00:00.000Z',
  actor: { type: 'token', id: 'tok_06ays3w8jrv2k7d1m5q9x4t0za' },
  action: 'token.create',
  resource: { type: 'token', id: token.token_id },
  outcome: 'success',
  request_id: 'req_4f1c0a9be27d',
  detail: 'Token "SIEM reader" created with the scopes events:read alerts:read',
  fields: { name: 'SIEM reader', scopes: ['events:read', 'alerts:read'] },
  token_id: token.token_id,
};

const AuditAction = stringEnum(TOKEN_AUDIT_ACTIONS, 'Only entries of this action.');
/** Stands for the credential: an example must not look like a working one. */
const shownOnce = 'svc_live_<33 characters><6 characters of checksum>';

export const listTokens = operation({
  operationId: 'listTokens',
  method: 'GET',
  path: '/tokens',
  tag: 'tokens',
  summary: 'List tokens',
  description:
    'Metadata only, newest first. `last_used_at` is updated about once a minute, of device credentials once a day. Device credentials are listed only by `device_id`.',
  scope: 'tokens:read',
  query: pageQuery({
    device_id: Type.Optional(idOf('device', 'Only the credentials of this device.')),
    status: anyOf(TokenStatus),
    created_by: anyOfTexts('ID of the token that created it.'),
    ...createdWithin,
  }),
  responses: {
    200: {
      description: 'A page of token metadata.',
      schema: pageOf('TokenPage', Token, {}),
      example: { data: [token], has_more: false, next_cursor: null },
    },
  },
});

export const createToken = operation({
  operationId: 'createToken',
  method: 'POST',
  path: '/tokens',
  tag: 'tokens',
  summary: 'Create a token',
  description:
    'The response contains the credential, only once: a repeat with the same `Idempotency-Key` omits it. A scope that the caller lacks, and an `expires_at` after the expiry of the caller, are 403 `scope_escalation`, audited. Without `expires_at` the token expires with the caller. A person who uses `tps` or the console is a caller that does not expire.',
  scope: 'tokens:write',
  recentSignIn: true,
  body: NewToken,
  bodyExample: { name: token.name, scopes: token.scopes },
  headers: ['Idempotency-Key'],
  responses: {
    201: {
      description: 'Created.',
      schema: CreatedToken,
      example: { ...token, token: shownOnce },
      headers: ['Location'],
    },
  },
  errors: ['scope_escalation', 'holding_limit_reached', 'idempotency_conflict'],
});

export const listTokenAudit = operation({
  operationId: 'listTokenAudit',
  method: 'GET',
  path: '/tokens/audit',
  tag: 'tokens',
  summary: 'List the audit entries of all tokens',
  description: 'Newest first.',
  scope: 'tokens:read',
  query: pageQuery({ action: Type.Optional(AuditAction), token_id: Type.Optional(idOf('token')) }),
  responses: auditResponses(entry),
});

export const getToken = operation({
  operationId: 'getToken',
  method: 'GET',
  path: '/tokens/{id}',
  tag: 'tokens',
  summary: "Read one token's metadata",
  scope: 'tokens:read',
  id: 'token',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'Metadata of the token.', schema: Token, example: token } },
});

export const listAuditOfToken = operation({
  operationId: 'listAuditOfToken',
  method: 'GET',
  path: '/tokens/{id}/audit',
  tag: 'tokens',
  summary: 'List the audit entries of one token',
  description: 'Newest first.',
  scope: 'tokens:read',
  id: 'token',
  query: pageQuery({ action: Type.Optional(AuditAction) }),
  responses: auditResponses(entry),
});

export const revokeToken = operation({
  operationId: 'revokeToken',
  method: 'DELETE',
  path: '/tokens/{id}',
  tag: 'tokens',
  summary: 'Revoke a token',
  description:
    'Permanent, and in force on every node when the response is sent: also for requests that the token made before and whose body is still arriving. Tokens that it created stay valid; see `created_by`. A repeat has no effect.',
  scope: 'tokens:write',
  recentSignIn: true,
  id: 'token',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 204: { description: 'Revoked.' } },
});

export const rollToken = operation({
  operationId: 'rollToken',
  method: 'POST',
  path: '/tokens/{id}/roll',
  tag: 'tokens',
  summary: 'Replace a token with a new one that has the same scopes',
  description:
    'The old token expires after `grace_s` seconds (default: at once); its status is then `expired`. The new token expires when the old one would have, or with the caller if that is earlier. A token that is not active is 422 `invalid_state_transition`.',
  scope: 'tokens:write',
  recentSignIn: true,
  id: 'token',
  body: TokenRoll,
  bodyOptional: true,
  bodyExample: { grace_s: 3600 },
  responses: {
    201: {
      description: 'The new token.',
      schema: CreatedToken,
      example: { ...token, token: shownOnce },
      headers: ['Location'],
    },
  },
  errors: ['scope_escalation', 'holding_limit_reached', 'invalid_state_transition'],
});

export const tokenOperations = [
  listTokens,
  createToken,
  listTokenAudit,
  getToken,
  listAuditOfToken,
  revokeToken,
  rollToken,
] as const;
