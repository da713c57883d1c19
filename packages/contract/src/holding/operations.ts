import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery } from '../schema/page.ts';
import { AdoptedHoldings, Holding, HoldingAdoption } from './schema.ts';

const holding = {
  kind: 'webhook',
  id: 'whk_06ays3w8jrv2k7d1m5q9x4t0zd',
  name: 'https://siem.example.com',
  owner_id: 'acc_06ays3w8jrv2k7d1m5q9x4t0ze',
  other_owner_ids: [],
  via_client_id: 'tps-console',
  owned_since: '2026-03-02T09:00:00.000Z',
  at_end: 'disabled',
  can_be_adopted: true,
} as const;

const ownerId = Type.String({
  pattern: '^(acc|tok|cli)_[A-Za-z0-9_-]{1,64}$',
  maxLength: 69,
  description: 'Account, token or OAuth client that is an owner of the holdings.',
});
const clientId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,69}$',
  maxLength: 69,
  description:
    'OAuth client through which the holdings were set up. With `owner_id`: only what the client set up for this person, which ends when the person withdraws its access.',
});

export const listHoldings = operation({
  operationId: 'listHoldings',
  method: 'GET',
  path: '/holdings',
  tag: 'members',
  summary: 'List what would end with a member, a client or a token',
  description:
    'A holding acts on the authority of its owner (a person, an OAuth client or a token), and ends with it. If others have changed it since, they are owners too, and it ends with each of them. The list has what the owner set up or has changed in this way, and what was set up with tokens and clients of the owner. Without `owner_id` and `client_id`, it has all holdings of the tenant that have an owner. Ordered by kind and ID.',
  scope: 'members:read',
  query: pageQuery({ owner_id: Type.Optional(ownerId), client_id: Type.Optional(clientId) }),
  responses: {
    200: {
      description: 'A page of holdings.',
      schema: pageOf('HoldingPage', Holding, {}),
      example: { data: [holding], has_more: false, next_cursor: null },
    },
  },
});

export const adoptHoldings = operation({
  operationId: 'adoptHoldings',
  method: 'POST',
  path: '/holdings/adopt',
  tag: 'members',
  summary: 'Adopt what another person has set up',
  description:
    'The caller becomes the only owner of the holdings: they then end with the caller, and no longer with the earlier owners. What was set up through an adopted OAuth client still ends with its earlier owners too, until it is adopted as well. All items are adopted or none. The caller needs the scopes that each holding acts with, and must have replaced the secret or keys of an OAuth client, which its earlier owners know. The adoption of a client ends its earlier secret, its access tokens and its grants.',
  scope: 'members:write',
  recentSignIn: true,
  body: HoldingAdoption,
  bodyExample: { items: [{ kind: 'webhook', id: holding.id }] },
  responses: {
    200: {
      description: 'What the caller now owns.',
      schema: AdoptedHoldings,
      example: { data: [{ ...holding, owner_id: 'acc_06ays3w8jrv2k7d1m5q9x4t0zf' }] },
    },
  },
  errors: ['not_found', 'scope_escalation', 'invalid_state_transition'],
});

export const holdingOperations = [listHoldings, adoptHoldings] as const;
