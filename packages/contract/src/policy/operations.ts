import { Type } from 'typebox';
import { operation } from '../openapi/operation.ts';
import { pageOf, pageQuery, tenantQuery } from '../schema/page.ts';
import { NewPolicy, Policy, PolicyChange } from './schema.ts';
import { NewPolicySimulation, PolicySimulation } from './simulation-schema.ts';

const policy = {
  policy_id: 'pol_default-phishing',
  tenant_id: 'tnt_example',
  name: 'Block phishing links',
  threat_categories: ['phishing'],
  action: 'block',
  confidence_threshold: 0.8,
  enabled: true,
  version: 1,
  created_at: '2026-01-12T08:00:00.000Z',
  updated_at: '2026-01-12T08:00:00.000Z',
  archived_at: null,
};

const byId = { id: 'policy', tag: 'policies' } as const;

export const listPolicies = operation({
  operationId: 'listPolicies',
  method: 'GET',
  path: '/policies',
  tag: 'policies',
  summary: 'List policies',
  description: 'Newest first, without archived policies, which can be read by ID only.',
  scope: 'devices:read',
  openTo: ['device'],
  query: pageQuery({}),
  headers: ['If-None-Match'],
  responses: {
    200: {
      description: 'A page of policies.',
      schema: pageOf('PolicyPage', Policy, {}),
      example: { data: [policy], has_more: false, next_cursor: null },
      headers: ['ETag'],
    },
    304: { description: 'The page has not changed.', headers: ['ETag'] },
  },
});

export const createPolicy = operation({
  operationId: 'createPolicy',
  method: 'POST',
  path: '/policies',
  tag: 'policies',
  summary: 'Create a policy',
  description: 'A `policy_id` that was ever used, even by an archived policy, is 409 `policy_id_conflict`.',
  scope: 'devices:write',
  body: NewPolicy,
  bodyExample: {
    name: 'Block phishing links',
    threat_categories: ['phishing'],
    action: 'block',
    confidence_threshold: 0.8,
  },
  responses: { 201: { description: 'Created.', schema: Policy, example: policy, headers: ['Location'] } },
  errors: ['policy_id_conflict'],
});

export const getPolicy = operation({
  ...byId,
  operationId: 'getPolicy',
  method: 'GET',
  path: '/policies/{id}',
  summary: 'Read one policy',
  scope: 'devices:read',
  openTo: ['device'],
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 200: { description: 'The policy.', schema: Policy, example: policy } },
});

export const updatePolicy = operation({
  ...byId,
  operationId: 'updatePolicy',
  method: 'PATCH',
  path: '/policies/{id}',
  summary: 'Change a policy',
  description:
    'Each change increases `version` by one. A `confidence_threshold` of null removes the threshold. An archived policy is 404.',
  scope: 'devices:write',
  body: PolicyChange,
  bodyExample: { enabled: false },
  responses: {
    200: {
      description: 'The updated policy.',
      schema: Policy,
      example: { ...policy, enabled: false, version: 2 },
    },
  },
});

export const archivePolicy = operation({
  ...byId,
  operationId: 'archivePolicy',
  method: 'DELETE',
  path: '/policies/{id}',
  summary: 'Archive a policy',
  description:
    'Disables the policy and removes it from the list. Events may still refer to it. A repeat has no effect.',
  scope: 'devices:write',
  query: Type.Object(tenantQuery, { additionalProperties: false }),
  responses: { 204: { description: 'Archived.' } },
});

export const simulatePolicy = operation({
  operationId: 'simulatePolicy',
  method: 'POST',
  path: '/policies/simulate',
  tag: 'policies',
  summary: 'Simulate a policy on past events',
  description:
    'Decides again on stored events, by the rule of the agents and with the confidence of each event: with the present policies, and with these and the simulated one. Nothing is stored. Reads the newest events of the range, at most 20 000. The result covers only what devices recorded: content that no detector reported is not among the events, however low the threshold, and neither are events that a device has not sent or that are older than the retention. Agents with fallback policies of their application decide differently on categories that no policy names. A tenant with more than 1000 policies is 400: devices reject such a list.',
  scope: 'devices:read',
  body: NewPolicySimulation,
  bodyExample: {
    policy_id: 'pol_default-phishing',
    change: { confidence_threshold: 0.7 },
    received_since: '2026-02-23T00:00:00.000Z',
  },
  responses: {
    200: {
      description: 'What the policy would have changed.',
      schema: PolicySimulation,
      example: {
        read: 4212,
        complete: true,
        oldest_received_at: '2026-02-23T00:00:41.118Z',
        matched: 913,
        left_out: 2,
        taken: { allow: 310, warn: 0, block: 603 },
        before: { allow: 310, warn: 0, block: 603 },
        after: { allow: 268, warn: 0, block: 645 },
        stricter: 42,
        milder: 0,
        devices: 17,
        events: [
          {
            event_id: 'evt_0mf3k2c8v1r6t',
            device_id: 'dev_pixel-8-anna',
            timestamp: '2026-03-02T09:15:03.000Z',
            threat_category: 'phishing',
            confidence: 0.74,
            severity: 'medium',
            action_taken: 'allow',
            before: 'allow',
            after: 'block',
            policy_id: 'pol_default-phishing',
          },
        ],
      },
    },
  },
  errors: ['policy_id_conflict'],
});

export const policyOperations = [
  listPolicies,
  createPolicy,
  simulatePolicy,
  getPolicy,
  updatePolicy,
  archivePolicy,
] as const;
