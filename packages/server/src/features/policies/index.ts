export { getPoliciesTag } from './policy-page.ts';
export { policyRoutes } from './policy-routes.ts';
export { PolicyService } from './policy-service.ts';
