import type { Feature, SharedParts } from '../feature.ts';
import { policyRoutes } from './policy-routes.ts';
import { PolicyService } from './policy-service.ts';
import { PolicySimulationService } from './policy-simulation-service.ts';

export function policiesFeature({ requests: database, clock, cursors, turns }: SharedParts): Feature {
  const policies = new PolicyService({ database, clock });
  const simulations = new PolicySimulationService({ database, clock, turns });
  return { routes: policyRoutes({ database, cursors, policies, simulations }) };
}
