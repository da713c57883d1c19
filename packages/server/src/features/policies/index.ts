export { policyRoutes } from './policy-routes.ts';
export { PolicyService } from './policy-service.ts';
