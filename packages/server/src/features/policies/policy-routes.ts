import {
  archivePolicy,
  createPolicy,
  getPolicy,
  listPolicies,
  simulatePolicy,
  updatePolicy,
} from '@tps/contract';
import type { CursorCodec } from '../../platform/http/cursors.ts';
import { requestedChange } from '../../platform/http/requested-change.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { notFound } from '../../platform/service-error.ts';
import type { RequestDatabase } from '../authority/index.ts';
import { toPolicy } from './policy.ts';
import { readPolicyPage } from './policy-page.ts';
import type { PolicyService } from './policy-service.ts';
import type { PolicySimulationService } from './policy-simulation-service.ts';
import * as policyStore from './policy-store.ts';

export function policyRoutes(parts: {
  database: RequestDatabase;
  cursors: CursorCodec;
  policies: PolicyService;
  simulations: PolicySimulationService;
}): Route[] {
  const { database, cursors, policies, simulations } = parts;
  return [
    route(listPolicies, async ({ tenantId, query }) => ({
      status: 200,
      body: await readPolicyPage({ database, cursors }, tenantId, query),
    })),

    route(createPolicy, async (exchange) => {
      const { tenantId } = exchange;
      const policy = await policies.create(tenantId, exchange.body(), exchange);
      return { status: 201, location: `/policies/${policy.policyId}`, body: toPolicy(policy, tenantId) };
    }),

    route(simulatePolicy, async (exchange) => {
      const { tenantId, caller } = exchange;
      const withEvents = caller.scopes.includes('events:read');
      return { status: 200, body: await simulations.simulate(tenantId, exchange.body(), { withEvents }) };
    }),

    route(getPolicy, async ({ tenantId, id }) => {
      const policy = await policyStore.find(database.read, tenantId, id);
      if (!policy) throw notFound('policy');
      return { status: 200, body: toPolicy(policy, tenantId) };
    }),

    route(updatePolicy, async (exchange) => {
      const { tenantId, id } = exchange;
      const change = requestedChange(exchange.body());
      const policy = await policies.update(tenantId, id, { change, request: exchange });
      return { status: 200, body: toPolicy(policy, tenantId) };
    }),

    route(archivePolicy, async (exchange) => {
      await policies.archive(exchange.tenantId, exchange.id, exchange);
      return { status: 204 };
    }),
  ];
}
