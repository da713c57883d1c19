import { Type } from 'typebox';
import { AdoptedHoldings, Holding, HoldingAdoption } from './holding.ts';
import { operation } from './openapi/operation.ts';
import { pageOf, pageQuery } from './schema/page.ts';

const holding = {
  kind: 'webhook',
  id: 'whk_06ays3w8jrv2k7d1m5q9x4t0zd',
  name: 'https://siem.example.com',
  owner_id: 'acc_06ays3w8jrv2k7d1m5q9x4t0ze',
  via_client_id: 'tps-console',
  owned_since: '2026-03-02T09:00:00.000Z',
  at_end: 'disabled',
  can_be_adopted: true,
} as const;

const ownerId = Type.String({
  pattern: '^(acc|tok|cli)_[A-Za-z0-9_-]{1,64}$',
  maxLength: 69,
  description: 'Account, token or OAuth client that owns them.',
});
const clientId = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,69}$',
  maxLength: 69,
  description:
    'OAuth client through which they were set up. With `owner_id`: only what this person set up through the client, which ends when the person withdraws its access.',
});

export const listHoldings = operation({
  operationId: 'listHoldings',
  method: 'GET',
  path: '/holdings',
  tag: 'members',
  summary: 'List what would end with a member or a client',
  description:
    'What acts on the authority of a person, an OAuth client or a token, and would end with it: what they set up themselves, and what was set up with a token or client of theirs. Without `owner_id` and `client_id`: everything in the tenant that has an owner. Ordered by kind and ID.',
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
    'The caller becomes the owner: it no longer ends with the earlier owner, but with the caller. All items are adopted or none. The caller needs the scopes that each acts with. The earlier owner may know its secret: rotate the secret of an OAuth client that you adopt.',
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
  errors: ['not_found', 'scope_escalation'],
});

export const holdingOperations = [listHoldings, adoptHoldings] as const;
