import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { tenantQuery } from '../schema/page.ts';
import { SignOn, SignOnSettings } from './schema.ts';

const signOn = {
  tenant_id: 'tnt_example',
  issuer: 'https://login.example.com',
  client_id: 'tps',
  has_secret: true,
  allowed_domains: ['example.com'],
  trust_email: false,
  extra_scopes: [],
  role_claim: 'groups',
  role_map: [
    { value: 'security-admins', role: 'admin' },
    { value: 'security', role: 'analyst' },
  ],
  default_role: null,
  create_members: true,
  required: false,
  redirect_uri: 'https://tps.example.com/auth/sign-on/callback',
  sign_on_url: 'https://tps.example.com/auth/sign-on/start?tenant=tnt_example',
  created_at: '2026-03-02T09:00:00.000Z',
  updated_at: '2026-03-02T09:00:00.000Z',
};

const oneTenant = Type.Object(tenantQuery, { additionalProperties: false });
const about = { path: '/sign-on', tag: 'members' } as const;

export const getSignOn = operation({
  ...about,
  operationId: 'getSignOn',
  method: 'GET',
  summary: 'Read the settings of single sign-on',
  description: 'The response is 404 if the tenant has no provider.',
  scope: 'members:read',
  query: oneTenant,
  responses: { 200: { description: 'The settings.', schema: SignOn, example: signOn } },
});

export const replaceSignOn = operation({
  ...about,
  operationId: 'replaceSignOn',
  method: 'PUT',
  summary: 'Set up or change single sign-on',
  description:
    "Reads the provider's discovery document first. Another issuer needs its own client secret. It ends the sessions that began at the present provider, and deletes the links between its people and their accounts.",
  scope: 'members:write',
  recentSignIn: true,
  body: SignOnSettings,
  bodyExample: {
    issuer: signOn.issuer,
    client_id: signOn.client_id,
    client_secret: '<8-to-512-characters>',
    allowed_domains: signOn.allowed_domains,
    role_claim: signOn.role_claim,
    role_map: signOn.role_map,
    create_members: true,
  },
  responses: { 200: { description: 'The settings.', schema: SignOn, example: signOn } },
  errors: ['scope_escalation'],
});

export const removeSignOn = operation({
  ...about,
  operationId: 'removeSignOn',
  method: 'DELETE',
  summary: 'End single sign-on',
  description:
    'The caller needs every scope of an admin, because admins may then be unable to sign in. The sessions that began at the provider end. People stay members. Those without a password set one through the link "Forgotten password" of the sign-in page. A repeat is 404.',
  scope: 'members:write',
  recentSignIn: true,
  query: oneTenant,
  responses: { 204: { description: 'Removed.' } },
  errors: ['scope_escalation'],
});

export const signOnOperations = [getSignOn, replaceSignOn, removeSignOn] as const;
